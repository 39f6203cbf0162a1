import { EspalierError } from "../../errors/index.ts";
import type {
  Budget,
  CandidateChoice,
  Optimizer,
  OptimizerPlan,
  PriceTable,
} from "../../optimizer/index.ts";
import {
  autoSearch,
  bootstrapFewShot,
  decisionFit,
  gepa,
  miproV2,
  parameterSearch,
  planOptimization,
} from "../../optimizer/index.ts";
import type { Study } from "../../study/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { budgetOf, readPrices } from "./budget-options.ts";
import { pinnedCandidate } from "../load/candidate-file.ts";
import { checkChoice, parseChoice } from "../arguments/choice.ts";
import { chooseStudy } from "../load/choose-study.ts";
import type { OptimizeGiven } from "./optimize-arguments.ts";
import { pricesOf } from "../lm/predictor-lms.ts";
import type { RunServers } from "../lm/run-servers.ts";
import { runServers } from "../lm/run-servers.ts";
import type { RecordedModules } from "../load/recorded-modules.ts";
import { recordedModules } from "../load/recorded-modules.ts";
import { checkRunner } from "../workers/open-runner.ts";
import { getOwn } from "../../internal/index.ts";

/** What the command line requests, checked as far as possible before any cost is incurred. */
export interface PreparedOptimization {
  readonly given: OptimizeGiven;
  readonly servers: RunServers;
  readonly study: Study;
  /** The study as its file declares it, without a candidate. */
  readonly declared: Study;
  /** Absent: examples run in this process. */
  readonly modules: RecordedModules | undefined;
  readonly optimizer: Optimizer;
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  readonly choice: CandidateChoice | undefined;
  readonly seed: number;
  /** Runs of each test example. */
  readonly repeats: number;
  /** Whether test may drift: the rehearsal LM answers and judges the same again. */
  readonly measuresDrift: boolean;
  /** Runs per example during the search. */
  readonly repetitions: number;
  readonly plan: OptimizerPlan;
}

export async function prepareOptimization(words: OptimizeGiven): Promise<PreparedOptimization> {
  checkRunner(words);
  const modules = words.redis === undefined ? undefined : recordedModules();
  const servers = await runServers(words, { roles: ["judge", "reflection"] });
  const declared = await chooseStudy(words.study, {
    trainset: words.trainset,
    parts: servers.parts,
    mlflow: words.mlflow,
  });
  const { program, pinned } = await pinnedCandidate(
    declared.program,
    words.candidate,
    words.mlflow,
  );
  // An alias may have moved when the run is resumed.
  const given = pinned === undefined ? words : Object.assign({}, words, { candidate: pinned });
  const study = { ...declared, program };
  const optimizer = optimizerOf(study, given);
  // The plan refuses an empty val; a budget of 0 would be refused before, and mislead.
  const budget = budgetOf(given, optimizer, Math.max(1, study.trainset.splits.val.length));
  const prices = (await readPrices(given.prices)) ?? pricesOf(servers, [study.program]);
  const repeats = wholeNumber("repeats", given.repeats, 1);
  const repetitions = wholeNumber("search-repeats", given["search-repeats"], 1);
  const choice = given.choose === undefined ? undefined : parseChoice(given.choose);
  const seed = given.seed === undefined ? optimizer.seed : wholeNumber("seed", given.seed, 0);
  checkTestSplit(study);
  if (choice !== undefined) {
    const { "measure-latency": measuresLatency, resume } = given;
    checkChoice(choice, { measuresLatency, resumed: resume });
  }
  const plan = planOptimization(study, {
    optimizer,
    budget,
    repetitions,
    ...(prices && { prices }),
    ...(servers.roles.judge && { roles: ["student", "reflection", "judge"] }),
  });
  return {
    given,
    servers,
    study,
    declared,
    modules,
    optimizer,
    budget,
    prices,
    choice,
    seed,
    repeats,
    measuresDrift: [servers.answer, servers.roles.judge].some((lm) => lm?.kind === "server"),
    repetitions,
    plan,
  };
}

function optimizerOf({ optimizer: own }: Study, given: OptimizeGiven): Optimizer {
  if (given.optimizer !== undefined) return namedOptimizer(given.optimizer, own?.budget);
  return own ?? autoSearch();
}

/** Without a test split the run could make no claim at its end, after spending everything. */
function checkTestSplit({ trainset }: Study): void {
  if (trainset.splits.test.length > 0) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `Trainset \`${trainset.name}\` has no test split`,
    expected: "examples held out from the optimizer, to report on",
    fix: "Move some of val to a `test` split. No LM was called.",
  });
}

type Factory = (options: { readonly budget?: Budget }) => Optimizer;

const factories: Readonly<Record<string, Factory>> = {
  "auto-search": autoSearch,
  gepa,
  "mipro-v2": miproV2,
  "bootstrap-few-shot": bootstrapFewShot,
  "parameter-search": parameterSearch,
  "decision-fit": decisionFit,
};

/**
 * The optimizer of `--optimizer`, at its defaults.
 *
 * @param budget of the study's own optimizer
 * @throws EspalierError `usage-invalid` for a name that there is not
 */
function namedOptimizer(name: string, budget: Budget | undefined): Optimizer {
  const factory = getOwn(factories, name);
  if (factory !== undefined) return factory(budget === undefined ? {} : { budget });
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--optimizer names an unknown optimizer",
    expected: Object.keys(factories).join(", "),
    got: name,
    fix: "To use your own optimizer, or one with options, set `optimizer` in the study.",
  });
}
