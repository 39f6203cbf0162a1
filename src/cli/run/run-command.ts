import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { runArguments } from "./run-arguments.ts";

/** `espalier run`: runs an artifact or a study's program on one input. */
export const runSubcommand: AnyCommand = defineCommand({
  args: runArguments,
  run: async ({ args, rawArgs }) => {
    checkArguments(rawArgs, runArguments);
    const { runProgram } = await import("./run-program.ts");
    await runProgram(args);
  },
});
