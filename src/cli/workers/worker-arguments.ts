import type { ParsedArgs } from "citty";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";
import { redisArguments } from "../arguments/redis-arguments.ts";
import { trackingArguments } from "../arguments/tracking-arguments.ts";

const { seed: _seed, candidate: _candidate, json: _json, concurrency, ...asking } = lmArguments;

const own = {
  redis: { ...redisArguments.redis, required: true },
  concurrency: {
    ...concurrency,
    description: "Maximum number of examples at once, and of concurrent calls",
  },
  "lost-after": {
    type: "string",
    description: "Silence after which a worker's examples go to another, in seconds",
    valueHint: "S",
    default: "15",
  },
  mlflow: trackingArguments.mlflow,
} as const;

type WorkerArguments = typeof studyArguments & typeof asking & typeof judgeArguments & typeof own;

/** Arguments of `espalier worker`. */
export const workerArguments: WorkerArguments = {
  ...studyArguments,
  ...asking,
  ...judgeArguments,
  ...own,
};

/** The parsed arguments. */
export type WorkerGiven = Readonly<ParsedArgs<WorkerArguments>>;
