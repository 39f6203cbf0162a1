import { defineConfig } from "vitest/config";

const slow = process.env["ESPALIER_SLOW"] === "1";

export default defineConfig({
  resolve: { conditions: ["espalier:source"] },
  ssr: { resolve: { conditions: ["espalier:source"] } },
  test: {
    include: slow ? ["test/**/*.slow.test.ts"] : ["test/**/*.test.ts"],
    exclude: slow ? [] : ["test/**/*.slow.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    restoreMocks: true,
    testTimeout: slow ? 300_000 : 30_000,
    coverage: {
      include: ["src/**/*.ts"],
      exclude: ["src/cli/bin.ts"],
      reporter: ["text-summary", "html"],
      thresholds: { lines: 85, branches: 80 },
    },
  },
});
