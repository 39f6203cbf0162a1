import type { ParsedArgs } from "citty";
import type { SplitName } from "../../contract/index.ts";
import {
  jsonArgument,
  judgeArguments,
  lmArguments,
  reflectionArguments,
} from "../arguments/arguments.ts";
import { budgetArguments } from "../arguments/shared-arguments.ts";

// A budget over several studies has no size of one, rows do not count calls of tools, and have
// candidates of their own.
const { budget: _budget, "max-tool-calls": _toolCalls, ...capArguments } = budgetArguments;
const { candidate: _candidate, ...askingArguments } = lmArguments;

/** Arguments of `espalier experiment`. */
export const experimentArguments = {
  ...capArguments,
  budget: {
    type: "string",
    description: "Maximum metric calls (scored program runs) for all rows, optimization included",
    valueHint: "N",
  },
  ...askingArguments,
  ...jsonArgument,
  ...judgeArguments,
  ...reflectionArguments,
  file: {
    type: "positional",
    description: "File that default-exports an experiment",
    valueHint: "FILE",
    required: false,
  },
  list: { type: "boolean", description: "List the shipped experiments", default: false },
  run: {
    type: "string",
    description: "Folder for the rows and the table; defaults to a new one under .espalier/runs",
    valueHint: "RUN",
  },
  resume: {
    type: "string",
    description: "Resume the experiment in this folder; omitted options keep their original values",
    valueHint: "RUN",
  },
  trainset: {
    type: "string",
    description: "For each row, use the study's variant for this trainset",
    valueHint: "NAME",
  },
  split: {
    type: "enum",
    description: "Split to score on; defaults to the experiment's",
    options: ["train", "val", "test"] as SplitName[],
  },
  sample: {
    type: "string",
    description:
      "Score on N examples of the split, drawn with --seed as whole clusters (groups of related examples)",
    valueHint: "N",
  },
  seed: { type: "string", description: "Seed of every row", valueHint: "N", default: "0" },
} as const;

/** The parsed arguments. */
export type ExperimentGiven = Readonly<ParsedArgs<typeof experimentArguments>>;
