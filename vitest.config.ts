import { defineConfig } from "vitest/config";

const slow = process.env["ESPALIER_SLOW"] === "1";

export default defineConfig({
  resolve: { conditions: ["espalier:source"] },
  ssr: { resolve: { conditions: ["espalier:source"] } },
  test: {
    include: slow ? ["test/**/*.slow.test.ts"] : ["test/**/*.test.ts"],
    exclude: slow ? [] : ["test/**/*.slow.test.ts"],
    restoreMocks: true,
    testTimeout: 30_000,
  },
});
