import type { ParsedArgs } from "citty";
import type { SplitName } from "../../contract/index.ts";
import { judgeArguments, lmArguments, reflectionArguments } from "../arguments/arguments.ts";
import { budgetArguments } from "../arguments/shared-arguments.ts";

const own = {
  file: {
    type: "positional",
    description: "File that default-exports an experiment",
    valueHint: "FILE",
    required: false,
  },
  list: {
    type: "boolean",
    description: "List the shipped experiments",
    default: false,
  },
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
    description: "Variant of every row's study on another trainset, by the trainset's name",
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
      "Score on N examples of the split, drawn by --seed as whole clusters (groups of related examples)",
    valueHint: "N",
  },
  seed: { type: "string", description: "Seed of every row", valueHint: "N", default: "0" },
} as const;

const budget = {
  budget: {
    type: "string",
    description: "Maximum metric calls (scored program runs) over all rows, optimizations included",
    valueHint: "N",
  },
} as const;
type ExperimentArguments = typeof own &
  typeof budget &
  Omit<typeof budgetArguments, "budget" | "max-tool-calls"> &
  typeof judgeArguments &
  typeof reflectionArguments &
  Omit<typeof lmArguments, "seed" | "candidate">;

/** Arguments of `espalier experiment`. */
export const experimentArguments: ExperimentArguments = {
  // A budget over several studies has no size of one.
  // Rows do not count calls of tools.
  ...without(without(budgetArguments, "budget"), "max-tool-calls"),
  ...budget,
  // Rows have candidates of their own.
  ...without(lmArguments, "candidate"),
  ...judgeArguments,
  ...reflectionArguments,
  ...own,
};

/** The parsed arguments. */
export type ExperimentGiven = Readonly<ParsedArgs<ExperimentArguments>>;

/** All arguments but the named one. */
function without<TArguments extends object, const TName extends keyof TArguments>(
  all: TArguments,
  name: TName,
): Omit<TArguments, TName> {
  const { [name]: _left, ...others } = all;
  return others;
}
