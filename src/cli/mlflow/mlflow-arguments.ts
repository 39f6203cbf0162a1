import type { ParsedArgs } from "citty";
import { experimentArgument } from "../arguments/shared-arguments.ts";

const subject = {
  subject: {
    type: "positional",
    description:
      "A run's folder; a file that `espalier eval --out` wrote; or, with --contents, a study, whose trainset becomes an evaluation dataset",
    valueHint: "RUN|RESULT.json|STUDY",
    required: true,
  },
  url: {
    type: "string",
    description: "URL of the MLflow server; defaults to MLFLOW_TRACKING_URI",
    valueHint: "URL",
  },
} as const;

const texts = {
  contents: {
    type: "boolean",
    description:
      "Also send texts of the data: inputs, outputs, messages, feedback; a run's artifact and page",
    default: false,
  },
  json: { type: "boolean", description: "Print JSON", default: false },
} as const;

type MlflowArguments = typeof subject & {
  readonly experiment: typeof experimentArgument;
} & typeof texts;

/** Arguments of `espalier mlflow`. */
export const mlflowArguments: MlflowArguments = {
  ...subject,
  experiment: experimentArgument,
  ...texts,
};

/** The parsed arguments. */
export type MlflowGiven = Readonly<ParsedArgs<typeof mlflowArguments>>;
