import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { ByPath } from "./support/by-path.ts";

const root = resolve(import.meta.dirname, "../..");

/** `npm run test:vllm`: tests against real servers, which the usual configuration leaves out. */
export default defineConfig({
  root,
  resolve: { conditions: ["espalier:source"] },
  ssr: { resolve: { conditions: ["espalier:source"] } },
  test: {
    include: ["test/vllm/**/*.test.ts"],
    globalSetup: [
      "test/support/own-folders.ts",
      "test/support/bundle-pages.ts",
      "test/vllm/global-setup.ts",
    ],
    setupFiles: ["test/support/own-working-folder.ts", "test/support/setup.ts"],
    // Three servers run at a time, and each file's tests share one to three.
    fileParallelism: false,
    isolate: false,
    sequence: { sequencer: ByPath },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // A test's time includes the start of the servers that it is the first to ask for.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
