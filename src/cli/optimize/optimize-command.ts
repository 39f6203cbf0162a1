import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { optimizeArguments } from "./optimize-arguments.ts";

/** `espalier optimize`: searches for better components and reports on the test split. */
export const optimizeSubcommand: AnyCommand = defineCommand({
  args: optimizeArguments,
  run: async ({ args, rawArgs }) => {
    checkArguments(rawArgs, optimizeArguments);
    const { planOrOptimize } = await import("./run-optimization.ts");
    await planOrOptimize(rawArgs, args.resume);
  },
});
