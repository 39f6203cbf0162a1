import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { steps, weighedParameters } from "./weights.ts";

export interface DecisionFitOptions {
  /** Optional: the fit ends by itself. */
  readonly budget?: Budget;
  /** Draws the folds. @default 0 */
  readonly seed?: number;
}

/**
 * Fits the weights that `labelWeight()` declares to the objective on val, by coordinate ascent over
 * the values at which a recorded decision changes. The weights are accepted if, fitted on all folds
 * but one and measured on that one, they beat the program's own; folds are of whole clusters.
 *
 * A run that decides as an earlier one did ends as it did, so each example runs once for each way
 * through its decisions, however many weights are tried. Where replies come from a cache alone,
 * weights that need a call it lacks are not counted, and the outcome's detail says how many.
 *
 * Unlike `parameterSearch()`, which runs every example for every setting and can change any
 * parameter.
 */
export function decisionFit({ seed = 0, budget }: DecisionFitOptions = {}): Optimizer {
  return Object.freeze({
    name: "decision-fit",
    version: "1",
    seed,
    ...(budget === undefined ? {} : { budget }),
    asksReflection: false,
    endsByItself: true,
    settings: {},
    doPlan: (space) => {
      const weights = weighedParameters(space);
      const { length } = space.val;
      // At least one more way for each weight; programs that decide repeatedly have more.
      const rollouts = (1 + weights.length) * length;
      return {
        seedEvaluation: length,
        // In one pass over the weights.
        proposals: weights.length * steps,
        calls: { student: rollouts * predictorCount(space.components), reflection: 0 },
        examplesPerText: 0,
        warnings: [],
      };
    },
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizer loads nothing that runs programs.
      const { fitDecisions } = await import("./fit-decisions.ts");
      return fitDecisions(space, run, weighedParameters(space));
    },
  } satisfies Optimizer);
}
