import type { ParsedArgs } from "citty";
import type { SplitName } from "../../contract/index.ts";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";

const own = {
  split: {
    type: "enum",
    description: "Examples to evaluate on",
    options: ["train", "val", "test"] as SplitName[],
    default: "val",
  },
  limit: { type: "string", description: "Only the first N examples", valueHint: "N" },
  out: { type: "string", description: "Write the whole result to this file", valueHint: "FILE" },
  baseline: {
    type: "string",
    description: "Compare, paired by example, with a result written by --out",
    valueHint: "FILE",
  },
  collections: {
    type: "string",
    description: "Also print means by collection, which this label of the examples names",
    valueHint: "LABEL",
  },
  artifact: {
    type: "string",
    description: "Write the evaluated program, with its score, as an artifact",
    valueHint: "FILE",
  },
} as const;

type EvalArguments = typeof studyArguments &
  typeof own &
  typeof lmArguments &
  typeof judgeArguments;

/** Arguments of `espalier eval`. */
export const evalArguments: EvalArguments = {
  ...studyArguments,
  ...own,
  ...lmArguments,
  ...judgeArguments,
};

/** What the parser makes of them. */
export type EvalGiven = Readonly<ParsedArgs<EvalArguments>>;
