import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { optimizeArguments } from "./optimize-arguments.ts";

/** `espalier optimize`: better components for a study's program, and what the test split says of them. */
export const optimizeSubcommand: AnyCommand = defineCommand({
  args: optimizeArguments,
  run: async ({ args, rawArgs }) => {
    checkArguments(rawArgs, optimizeArguments);
    const { planOrOptimize } = await import("./run-optimization.ts");
    await planOrOptimize(rawArgs, args.resume);
  },
});
