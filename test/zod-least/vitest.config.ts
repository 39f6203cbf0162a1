import { defineConfig, mergeConfig } from "vitest/config";
import everything from "../../vitest.config.ts";

/**
 * The tests of what zod does for the framework, with the oldest zod that the package accepts in
 * its place. Started by `oldest-zod.slow.test.ts`.
 */
export default mergeConfig(
  everything,
  defineConfig({
    resolve: { alias: [{ find: /^zod$/, replacement: "zod-least" }] },
    test: { include: ["test/zod-least/version.ts"] },
  }),
);
