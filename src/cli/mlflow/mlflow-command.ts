import { defineCommand } from "citty";
import type { AnyCommand } from "../arguments/arguments.ts";
import { checkArguments } from "../arguments/check-arguments.ts";
import { mlflowArguments } from "./mlflow-arguments.ts";

/** `espalier mlflow`: sends a run or a result to an MLflow server. */
export const mlflowSubcommand: AnyCommand = defineCommand({
  args: mlflowArguments,
  run: async ({ args, rawArgs }) => {
    checkArguments(rawArgs, mlflowArguments);
    const { sendToMlflow } = await import("./send-to-mlflow.ts");
    await sendToMlflow(args);
  },
});
