import type { ParsedArgs } from "citty";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";
import { budgetArguments } from "./budget-arguments.ts";

const own = {
  resume: {
    type: "string",
    description: "Go on with the run in this folder; options left out are those it was begun with",
    valueHint: "RUN",
  },
  run: {
    type: "string",
    description: "Folder for the run's journal; without it one under .espalier/runs",
    valueHint: "RUN",
  },
  plan: {
    type: "boolean",
    description: "Only print what the budget allows; nothing is spent",
    default: false,
  },
  trainset: {
    type: "string",
    description: "One of the study's variants, on other data",
    valueHint: "NAME",
  },
  out: {
    type: "string",
    description:
      "File of the artifact; without it artifact.json in the run's folder, with --choose artifact-ID.json",
    valueHint: "ARTIFACT",
  },
  "reflection-lm": {
    type: "string",
    description: "Base URL of the server that reflects; without it --lm",
    valueHint: "URL",
  },
  "reflection-model": { type: "string", description: "Model that reflects", valueHint: "NAME" },
  seed: {
    type: "string",
    description: "Seed of the run; without it the optimizer's",
    valueHint: "N",
  },
  repeats: {
    type: "string",
    description: "Runs of each example of test, whose mean counts: for noisy metrics and LMs",
    valueHint: "N",
    default: "1",
  },
  "search-repeats": {
    type: "string",
    description: "The same for every run of the search, each a metric call",
    valueHint: "N",
    default: "1",
  },
  "measure-latency": {
    type: "boolean",
    description: "Measure latencyMs for --choose and the front; it differs from run to run",
    default: false,
  },
  "stop-file": {
    type: "string",
    description:
      "End the search between two steps, and report, once this file is there; once it is gone, --resume goes on; from the run's start, not added later",
    valueHint: "FILE",
  },
  choose: {
    type: "string",
    description:
      'Take another candidate than the best: "quality>=0.6,fewest promptTokens"; with --resume also of a run that has ended',
    valueHint: "CHOICE",
  },
} as const;

type OptimizeArguments = typeof studyArguments &
  typeof own &
  typeof budgetArguments &
  typeof judgeArguments &
  Omit<typeof lmArguments, "seed">;

/** Arguments of `espalier optimize`. */
export const optimizeArguments: OptimizeArguments = {
  ...budgetArguments,
  ...lmArguments,
  ...judgeArguments,
  ...studyArguments,
  ...own,
};

/** What the parser makes of them. */
export type OptimizeGiven = Readonly<ParsedArgs<OptimizeArguments>>;
