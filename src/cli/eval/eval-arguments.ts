import type { ParsedArgs } from "citty";
import type { SplitName } from "../../contract/index.ts";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";
import {
  redisArguments,
  trackingArguments,
  worldArguments,
} from "../arguments/shared-arguments.ts";

const own = {
  split: {
    type: "enum",
    description: "Split to evaluate on",
    options: ["train", "val", "test"] as SplitName[],
    default: "val",
  },
  limit: {
    type: "string",
    description: "Use only the first N examples of the split, to try things out",
    valueHint: "N",
  },
  sample: {
    type: "string",
    description:
      "Use N examples, drawn by --seed as whole clusters (conversations with all their turns), in proportion to the trainset's strata if it has some",
    valueHint: "N",
  },
  out: { type: "string", description: "Write the full result to this file", valueHint: "FILE" },
  baseline: {
    type: "string",
    description: "Result of an earlier --out to compare with, paired by example",
    valueHint: "FILE",
  },
  collections: {
    type: "string",
    description:
      "Also print means by collection; LABEL is the example label that names it, or lists several",
    valueHint: "LABEL",
  },
  artifact: {
    type: "string",
    description: "Write the evaluated program and its score as an artifact",
    valueHint: "FILE",
  },
} as const;

type EvalArguments = typeof studyArguments &
  typeof trackingArguments &
  typeof worldArguments &
  typeof redisArguments &
  typeof own &
  typeof lmArguments &
  typeof judgeArguments;

/** Arguments of `espalier eval`. */
export const evalArguments: EvalArguments = {
  ...studyArguments,
  ...own,
  ...lmArguments,
  ...judgeArguments,
  ...worldArguments,
  ...redisArguments,
  ...trackingArguments,
};

/** The parsed arguments. */
export type EvalGiven = Readonly<ParsedArgs<EvalArguments>>;
