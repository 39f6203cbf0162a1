import type { LanguageModel } from "../../contract/index.ts";
import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { changeableKinds, dimensionsOf } from "./choices.ts";
import { costOfTrial, instructionsOf, runsPerText, sizesOf } from "./sizes.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { sum } from "../../statistics/index.ts";

export interface MiproV2Options {
  /** Optional here; the run can set it. The sizes of a search follow from it. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
  /**
   * What may change: kinds (`instruction`, `demos`, `parameter`) or single components
   * (`instruction:answer`), at least one instruction among them. @default all three kinds
   */
  readonly components?: readonly string[];
  readonly reflection?: {
    /** Writes instructions. @default the run's LM */
    readonly lm?: LanguageModel;
  };
}

/**
 * Searches instructions and demonstrations together, as MIPROv2 (K. Opsahl-Ong et al., EMNLP 2024,
 * arXiv 2406.11695) in DSPy 3.4 does: runs on train give sets of demonstrations, and the reflection
 * LM writes instructions; then a tree-structured Parzen estimator suggests one instruction and one
 * set for every predictor, and a setting of the program's parameters, to be tried on minibatches of
 * val, and the best are run on the rest of it.
 *
 * Its sizes follow from a hard budget. Unlike DSPy's, it writes instructions as `gepa()` does, from
 * runs and their feedback, without a summary of the data and without tips. It pays for no
 * instruction that it does not try, weighs results by the examples behind them, treats a fault as
 * no score, and runs no example of val twice with one candidate. Where the budget allows, more
 * instructions are written in later rounds, from runs of the best combination so far.
 *
 * @example
 * study({ program, trainset, objective, optimizer: miproV2({ budget: { metricCalls: 500 } }) })
 */
export function miproV2({
  budget,
  seed = 0,
  components = changeableKinds,
  reflection = {},
}: MiproV2Options = {}): Optimizer {
  return Object.freeze({
    name: "mipro-v2",
    version: "7",
    seed,
    ...(budget && { budget }),
    ...(reflection.lm && { reflectionLm: reflection.lm }),
    settings: { components },
    doPlan: (space, cap) => miproV2Plan(space, cap, components),
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizers loads none that does not run.
      const { runMiproV2 } = await import("./run-mipro-v2.ts");
      return runMiproV2(space, run, components);
    },
  } satisfies Optimizer);
}

/** Fewer trials say too little about what they choose from. */
const minUseful = 4;

/** What a budget allows. Throws `component-unknown` for a space without instructions. */
function miproV2Plan(
  space: SearchSpace,
  { metricCalls: rollouts = Infinity, reflectionCalls = Infinity }: Budget,
  selected: readonly string[],
): OptimizerPlan {
  const dimensions = dimensionsOf(space, selected);
  const predictors = Math.max(1, predictorCount(space.components));
  const isKnown = Number.isFinite(rollouts);
  const sizes = sizesOf(rollouts, space, dimensions);
  const { panel, trials } = sizes;
  const onTrain = sizes.bootstrapping + (sizes.rounds - 1) * sizes.lessons;
  const left = Math.max(0, rollouts - panel - onTrain);
  const perTrial = costOfTrial(sizes);
  const proposals = Math.min(trials, Math.floor(left / perTrial));
  const { length: texts } = dimensions.texts;
  const reflection = sum(instructionsOf(reflectionCalls, texts, sizes)) * texts;
  const raced = Math.min(left, Math.ceil(proposals * perTrial));
  const student = (panel + onTrain + raced) * predictors;
  return {
    seedEvaluation: panel,
    proposals: isKnown ? proposals : null,
    calls: isKnown ? { student, reflection } : null,
    examplesPerText: runsPerText,
    warnings:
      proposals >= minUseful
        ? []
        : [
            `The budget covers ${proposals} trials, after ${panel} metric calls for the program as it is and up to ${onTrain} for runs on train. Use at least ${Math.ceil(minUseful * perTrial) + panel + onTrain}.`,
          ],
  };
}
