import type { ParsedArgs } from "citty";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";
import { requiredRedis } from "../arguments/shared-arguments.ts";

const { seed: _seed, candidate: _candidate, json: _json, ...asking } = lmArguments;

/** Arguments of `espalier worker`. */
export const workerArguments = {
  redis: requiredRedis,
  ...studyArguments,
  ...asking,
  ...judgeArguments,
  concurrency: {
    type: "string",
    description: "Maximum number of concurrent examples, and of concurrent calls",
    valueHint: "N",
    default: "16",
  },
  "lost-after": {
    type: "string",
    description: "Seconds after which a silent worker's examples go to another worker",
    valueHint: "S",
    default: "15",
  },
  mlflow: {
    type: "string",
    description: "MLflow server for a trainset mlflow:NAME; defaults to MLFLOW_TRACKING_URI",
    valueHint: "URL",
  },
} as const;

/** The parsed arguments. */
export type WorkerGiven = Readonly<ParsedArgs<typeof workerArguments>>;
