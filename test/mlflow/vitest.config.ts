import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");

/** `npm run test:mlflow`: tests against a real MLflow server, one for all of them. */
export default defineConfig({
  root,
  resolve: { conditions: ["espalier:source"] },
  ssr: { resolve: { conditions: ["espalier:source"] } },
  test: {
    include: ["test/mlflow/**/*.test.ts"],
    globalSetup: [
      "test/support/own-folders.ts",
      "test/support/bundle-pages.ts",
      "test/mlflow/global-setup.ts",
    ],
    setupFiles: ["test/support/own-working-folder.ts", "test/support/setup.ts"],
    fileParallelism: false,
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 600_000,
    hookTimeout: 900_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
