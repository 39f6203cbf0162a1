import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { evalArguments } from "./eval-arguments.ts";

/** `espalier eval`: evaluates a study's program on one split of its trainset. */
export const evalSubcommand: AnyCommand = defineCommand({
  args: evalArguments,
  run: async ({ args, rawArgs }) => {
    checkArguments(rawArgs, evalArguments);
    const { runEvaluation } = await import("./run-evaluation.ts");
    await runEvaluation(args);
  },
});
