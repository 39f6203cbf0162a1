import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { dimensionsOf } from "./choices.ts";
import type { MiproV2Options, MiproV2Settings } from "./settings.ts";
import { describeMiproV2, miproV2Settings } from "./settings.ts";
import { callsOf, costOfTrial, sizesOf } from "./sizes.ts";
import { maxComments } from "./propose-instructions.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { sum } from "../../statistics/index.ts";

/**
 * Searches instructions and demonstrations together, as MIPROv2 (K. Opsahl-Ong et al., EMNLP 2024,
 * arXiv 2406.11695) in DSPy 3.4 does: runs on train give sets of demonstrations; the reflection LM
 * writes instructions from a summary of the data, a description of the program, demonstrations and
 * a tip; then a tree-structured Parzen estimator suggests one instruction and one set for every
 * predictor, and a setting of the program's parameters, to be tried on minibatches of val, and the
 * best are run on the rest of it.
 *
 * Its sizes follow from a hard budget. Unlike DSPy's, it pays for no instruction that it does not
 * try, weighs results by the examples behind them, takes a fault for no score, and runs no example
 * of val twice with one candidate. Where the budget allows, more instructions are written in later
 * rounds, from runs of the best combination so far.
 *
 * @example
 * study({ program, trainset, objective, optimizer: miproV2({ budget: { metricCalls: 500 } }) })
 * @throws EspalierError `option-invalid`
 */
export function miproV2(options: MiproV2Options = {}): Optimizer {
  const { seed = 0, budget, teacher, reflection } = options;
  const settings = miproV2Settings(options);
  const hasTeacher = teacher?.lm !== undefined;
  return Object.freeze({
    name: "mipro-v2",
    version: "6",
    seed,
    ...(budget && { budget }),
    ...(reflection?.lm && { reflectionLm: reflection.lm }),
    ...(teacher?.lm && { teacherLm: teacher.lm }),
    settings: { ...describeMiproV2(settings) },
    doPlan: (space, cap) => miproV2Plan(space, cap, { settings, hasTeacher }),
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizers loads none that does not run.
      const { runMiproV2 } = await import("./run-mipro-v2.ts");
      return runMiproV2(space, run, settings);
    },
  } satisfies Optimizer);
}

/** Fewer trials say too little about what they choose from. */
const minUseful = 4;

/** What a budget allows. Throws `component-unknown` for a space without instructions. */
function miproV2Plan(
  space: SearchSpace,
  { metricCalls: rollouts = Infinity, reflectionCalls = Infinity }: Budget,
  { settings, hasTeacher }: { readonly settings: MiproV2Settings; readonly hasTeacher: boolean },
): OptimizerPlan {
  const dimensions = dimensionsOf(space, settings);
  const predictors = Math.max(1, predictorCount(space.components));
  const isKnown = Number.isFinite(rollouts) || settings.trials !== undefined;
  const sizes = sizesOf(rollouts, space, { settings, choices: dimensions.count, isMean: true });
  const { panel, minibatch, trials } = sizes;
  const onTrain = sizes.bootstrapping + (sizes.rounds - 1) * sizes.lessons;
  const left = Math.max(0, rollouts - panel - onTrain);
  const affordable = (cost: number): number => Math.min(trials, Math.floor(left / cost));
  const perTrial = costOfTrial(sizes, settings);
  const proposals = {
    least: affordable(panel),
    expected: affordable(perTrial),
    most: affordable(minibatch),
  };
  const { ground, instructions } = callsOf(Math.min(reflectionCalls, 1_000), {
    space,
    settings,
    texts: dimensions.texts.length,
    sizes,
  });
  const reflection =
    ground.observations +
    ground.summary +
    ground.descriptions +
    sum(instructions) * dimensions.texts.length;
  const raced = Math.min(left, Math.ceil(proposals.expected * perTrial));
  const taught = sizes.bootstrapping * predictors;
  const student = (panel + onTrain + raced) * predictors - (hasTeacher ? taught : 0);
  return {
    seedEvaluation: panel,
    perProposal: { refused: minibatch, accepted: panel },
    proposals: isKnown ? proposals : null,
    fullValidations: isKnown ? 1 + proposals.most : null,
    calls: isKnown ? { student, reflection, ...(hasTeacher && { teacher: taught }) } : null,
    examplesPerText: maxComments,
    warnings:
      proposals.expected >= minUseful
        ? []
        : [
            `The budget covers ${proposals.expected} trials, after ${panel} metric calls for the program as it is and up to ${onTrain} for runs on train. Use at least ${Math.ceil(minUseful * perTrial) + panel + onTrain}.`,
          ],
  };
}
