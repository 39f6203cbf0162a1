import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { initArguments } from "./init-arguments.ts";

/** `espalier init`: writes a small project that runs at once. */
export const initSubcommand: AnyCommand = defineCommand({
  args: initArguments,
  run: async ({ args, rawArgs }) => {
    checkArguments(rawArgs, initArguments);
    const { startProject } = await import("./start-project.ts");
    await startProject(args);
  },
});
