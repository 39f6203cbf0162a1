import { defineConfig } from "vitest/config";

const slow = process.env["ESPALIER_SLOW"] === "1";

export default defineConfig({
  resolve: { conditions: ["espalier:source"] },
  ssr: { resolve: { conditions: ["espalier:source"] } },
  test: {
    include: slow ? ["test/**/*.slow.test.ts"] : ["test/**/*.test.ts"],
    // These need a real server, and have configurations of their own.
    exclude: ["test/vllm/**", "test/mlflow/**", ...(slow ? [] : ["test/**/*.slow.test.ts"])],
    globalSetup: ["test/support/bundle-report-page.ts", "test/support/own-folders.ts"],
    setupFiles: ["test/support/own-working-folder.ts", "test/support/setup.ts"],
    // Test files of one worker share its modules: most of a file's time was to load them. What a
    // test leaves in a module, another test sees.
    isolate: false,
    // Vitest leaves one core to itself, which is half of two.
    maxWorkers: "100%",
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // These end what hangs, also beside a dozen busy processes: no test sets one of its own, and
    // what a test waits for is a condition (`expect.poll`), never a time.
    testTimeout: slow ? 900_000 : 300_000,
    hookTimeout: slow ? 900_000 : 300_000,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      include: ["src/**/*.ts"],
      exclude: ["src/cli/bin.ts"],
      reporter: ["text-summary", "html"],
      thresholds: { lines: 85, branches: 80 },
    },
  },
});
