import type { ParsedArgs } from "citty";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";
import { requiredRedis } from "../arguments/shared-arguments.ts";

type Asking = Omit<typeof lmArguments, "seed" | "candidate" | "json" | "concurrency">;

const own = {
  concurrency: {
    type: "string",
    description: "Maximum number of examples at once, and of concurrent calls",
    valueHint: "N",
    default: "16",
  },
  "lost-after": {
    type: "string",
    description: "Silence after which a worker's examples go to another, in seconds",
    valueHint: "S",
    default: "15",
  },
  mlflow: {
    type: "string",
    description: "MLflow server of a trainset mlflow:NAME; defaults to MLFLOW_TRACKING_URI",
    valueHint: "URL",
  },
} as const;

type WorkerArguments = typeof studyArguments &
  Asking &
  typeof judgeArguments &
  typeof own & { readonly redis: typeof requiredRedis };

const { seed: _seed, candidate: _candidate, json: _json, ...asking } = lmArguments;

/** Arguments of `espalier worker`. */
export const workerArguments: WorkerArguments = {
  redis: requiredRedis,
  ...studyArguments,
  ...asking,
  ...judgeArguments,
  ...own,
};

/** The parsed arguments. */
export type WorkerGiven = Readonly<ParsedArgs<WorkerArguments>>;
