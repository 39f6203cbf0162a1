import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { workerArguments } from "./worker-arguments.ts";

/** `espalier worker`: runs examples of a study for whoever evaluates or optimizes it. */
export const workerSubcommand: AnyCommand = defineCommand({
  args: workerArguments,
  run: async ({ args, rawArgs }) => {
    checkArguments(rawArgs, workerArguments);
    const { runWorker } = await import("./run-worker.ts");
    await runWorker(args);
  },
});
