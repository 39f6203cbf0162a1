import type { ParsedArgs } from "citty";
import type { SplitName } from "../contract/index.ts";
import { judgeArguments, lmArguments } from "./arguments.ts";

const own = {
  study: {
    type: "positional",
    description: "File that default-exports a study",
    valueHint: "STUDY",
    required: true,
  },
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

type EvalArguments = typeof own & typeof lmArguments & typeof judgeArguments;

/** Arguments of `espalier eval`. */
export const evalArguments: EvalArguments = { ...own, ...lmArguments, ...judgeArguments };

/** What the parser makes of them. */
export type EvalGiven = Readonly<ParsedArgs<EvalArguments>>;
