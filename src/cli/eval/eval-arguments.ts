import type { ParsedArgs } from "citty";
import type { SplitName } from "../../contract/index.ts";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";
import {
  redisArguments,
  trackingArguments,
  worldArguments,
} from "../arguments/shared-arguments.ts";

/** Arguments of `espalier eval`. */
export const evalArguments = {
  ...studyArguments,
  split: {
    type: "enum",
    description: "Split to evaluate on",
    options: ["train", "val", "test"] as SplitName[],
    default: "val",
  },
  limit: {
    type: "string",
    description: "Use only the first N examples of the split",
    valueHint: "N",
  },
  sample: {
    type: "string",
    description:
      "Use N examples, drawn with --seed as whole clusters (conversations with all their turns), in proportion to the trainset's strata if it has any",
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
      "Also print means by collection; LABEL is the label that names an example's collections",
    valueHint: "LABEL",
  },
  artifact: {
    type: "string",
    description: "Write the evaluated program and its score as an artifact",
    valueHint: "FILE",
  },
  ...lmArguments,
  ...judgeArguments,
  ...worldArguments,
  ...redisArguments,
  ...trackingArguments,
} as const;

/** The parsed arguments. */
export type EvalGiven = Readonly<ParsedArgs<typeof evalArguments>>;
