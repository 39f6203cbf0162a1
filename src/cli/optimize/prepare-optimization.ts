import { EspalierError } from "../../errors/index.ts";
import type {
  Budget,
  CandidateChoice,
  Optimizer,
  OptimizerPlan,
  PriceTable,
} from "../../optimizer/index.ts";
import { gepa, planOptimization } from "../../optimizer/index.ts";
import type { Study } from "../../study/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { budgetOf, readPrices } from "./budget-options.ts";
import { withCandidate } from "../load/candidate-file.ts";
import { checkChoice } from "./check-choice.ts";
import { loadStudy } from "../load/load-study.ts";
import type { OptimizeGiven } from "./optimize-arguments.ts";
import { namesJudge } from "../lm/open-judged-lm.ts";
import { parseChoice } from "../arguments/parse-choice.ts";
import { withStopFile } from "./stop-file.ts";

/** What the command line asks for, read and checked as far as can be before anything is spent. */
export interface PreparedOptimization {
  readonly given: OptimizeGiven;
  readonly study: Study;
  readonly optimizer: Optimizer;
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  readonly choice: CandidateChoice | undefined;
  readonly seed: number;
  /** Runs of each example of test. */
  readonly repeats: number;
  /** Runs of each example in the search. */
  readonly repetitions: number;
  readonly plan: OptimizerPlan;
}

export async function prepareOptimization(given: OptimizeGiven): Promise<PreparedOptimization> {
  const declared = await chooseStudy(given.study, given.trainset);
  const study = { ...declared, program: await withCandidate(declared.program, given.candidate) };
  const optimizer = withStopFile(study.optimizer ?? gepa(), given);
  const budget = budgetOf(given, optimizer, selectedOn(study));
  const prices = await readPrices(given.prices);
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
    ...(namesJudge(given) && { roles: ["student", "reflection", "judge"] }),
  });
  return { given, study, optimizer, budget, prices, choice, seed, repeats, repetitions, plan };
}

/** Examples that candidates are selected on. */
function selectedOn({ trainset: { splits } }: Study): number {
  return (splits.val.length === 0 ? splits.train : splits.val).length;
}

async function chooseStudy(path: string, variant: string | undefined): Promise<Study> {
  const study = await loadStudy(path);
  if (variant === undefined || variant === study.trainset.name) return study;
  const { variants = {} } = study;
  const make = variants[variant];
  if (make !== undefined) return make();
  throw new EspalierError({
    code: "usage-invalid",
    problem: `The study "${study.name}" has no variant "${variant}"`,
    expected: [study.trainset.name, ...Object.keys(variants)].join(", "),
    where: "--trainset",
  });
}

/** Without it no claim could be made at the end, and everything would have been spent by then. */
function checkTestSplit({ trainset }: Study): void {
  if (trainset.splits.test.length > 0) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `Trainset \`${trainset.name}\` has no test split`,
    expected: "examples that no decision of the optimizer sees, to report on",
    fix: "Put some of val into a split `test`. Nothing was spent.",
  });
}
