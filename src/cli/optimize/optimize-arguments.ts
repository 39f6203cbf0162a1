import type { ParsedArgs } from "citty";
import {
  judgeArguments,
  lmArguments,
  reflectionArguments,
  studyArguments,
} from "../arguments/arguments.ts";
import {
  redisArguments,
  trackingArguments,
  worldArguments,
  budgetArguments,
} from "../arguments/shared-arguments.ts";

/** Arguments of `espalier optimize`. */
export const optimizeArguments = {
  ...budgetArguments,
  ...lmArguments,
  ...judgeArguments,
  ...reflectionArguments,
  ...studyArguments,
  resume: {
    type: "string",
    description: "Resume the run in this folder; omitted options keep their original values",
    valueHint: "RUN",
  },
  run: {
    type: "string",
    description: "Folder for the run's journal; defaults to a new one under .espalier/runs",
    valueHint: "RUN",
  },
  plan: {
    type: "boolean",
    description: "Print what the budget allows and exit, without calling an LM",
    default: false,
  },
  out: {
    type: "string",
    description:
      "Artifact file to write; defaults to artifact.json in the run's folder, or artifact-ID.json with --choose",
    valueHint: "ARTIFACT",
  },
  optimizer: {
    type: "string",
    description:
      "Use this optimizer with its default settings instead of the study's: auto-search, gepa, mipro-v2, bootstrap-few-shot, parameter-search or decision-fit. If the study has none, auto-search is used",
    valueHint: "NAME",
  },
  seed: {
    type: "string",
    description: "Seed of the run; defaults to the optimizer's",
    valueHint: "N",
  },
  repeats: {
    type: "string",
    description: "Runs of each test example, averaged; for noisy metrics and LMs",
    valueHint: "N",
    default: "1",
  },
  "search-repeats": {
    type: "string",
    description: "Runs per example during the search, averaged; each run is a metric call",
    valueHint: "N",
    default: "1",
  },
  "measure-latency": {
    type: "boolean",
    description: "Measure latencyMs for --choose and the Pareto front; it varies from run to run",
    default: false,
  },
  choose: {
    type: "string",
    description:
      'Choose a candidate other than the best: "quality>=0.6,fewest promptTokens"; with --resume, also from a run that has ended',
    valueHint: "CHOICE",
  },
  ...worldArguments,
  ...redisArguments,
  ...trackingArguments,
} as const;

/** The parsed arguments. */
export type OptimizeGiven = Readonly<ParsedArgs<typeof optimizeArguments>>;
