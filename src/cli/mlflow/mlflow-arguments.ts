import type { ParsedArgs } from "citty";
import { experimentArgument } from "../arguments/shared-arguments.ts";

/** Arguments of `espalier mlflow`. */
export const mlflowArguments = {
  subject: {
    type: "positional",
    description:
      "A run's folder; a file written by `espalier eval --out`; or, with --contents, a study, whose trainset becomes an evaluation dataset",
    valueHint: "RUN|RESULT.json|STUDY",
    required: true,
  },
  url: {
    type: "string",
    description: "URL of the MLflow server; defaults to MLFLOW_TRACKING_URI",
    valueHint: "URL",
  },
  experiment: experimentArgument,
  contents: {
    type: "boolean",
    description:
      "Also send text from the data: inputs, outputs, messages, feedback; and a run's artifact and page",
    default: false,
  },
  json: { type: "boolean", description: "Print JSON", default: false },
} as const;

/** The parsed arguments. */
export type MlflowGiven = Readonly<ParsedArgs<typeof mlflowArguments>>;
