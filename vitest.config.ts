import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** By the names of files: quick tests, those before a merge, those with full counts. */
const patterns: Readonly<Record<string, string>> = {
  fast: "{test,packages/*/test}/**/!(*.merge|*.slow).test.ts",
  merge: "{test,packages/*/test}/**/*.merge.test.ts",
  slow: "{test,packages/*/test}/**/*.slow.test.ts",
};
const tiers = (process.env["ESPALIER_TIERS"] ?? "fast").split(",");
const include = tiers.map((tier) => {
  const pattern = patterns[tier];
  if (pattern === undefined) throw new Error(`ESPALIER_TIERS names no tier: ${tier}.`);
  return pattern;
});
const timeout = tiers.includes("slow") ? 900_000 : 300_000;

export default defineConfig({
  resolve: { conditions: ["espalier:source"] },
  ssr: { resolve: { conditions: ["espalier:source"] } },
  test: {
    include,
    // These need a real server, and have configurations of their own.
    exclude: ["test/vllm/**", "test/mlflow/**"],
    globalSetup: ["test/support/own-folders.ts", "test/support/bundle-pages.ts"],
    setupFiles: ["test/support/own-working-folder.ts", "test/support/setup.ts"],
    // Test files of one worker share its modules: most of a file's time was to load them. What a
    // test leaves in a module, another test sees.
    isolate: false,
    // A third of a worker's time is to wait for processes and sockets.
    maxWorkers: availableParallelism() + 1,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // These end what hangs, also beside a dozen busy processes: no test sets one of its own, and
    // what a test waits for is a condition (`expect.poll`), never a time.
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      include: ["{src,packages/*/src}/**/*.ts"],
      exclude: ["src/cli/bin.ts"],
      reporter: ["text-summary", "html"],
      thresholds: { lines: 85, branches: 80 },
    },
  },
});
