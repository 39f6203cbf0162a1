import { weighedParameters } from "./weighed-parameters.ts";
import { checkCount } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { Optimizer } from "../contract/optimizer.ts";

export interface DecisionFitOptions {
  /** Names of the weights that may change. @default all of the program's */
  readonly parameters?: readonly string[];
  /** Maximum number of values tried of one weight at a time; at least 2. @default 25 */
  readonly steps?: number;
  /** Parts of the cross-validation, each of whole clusters; at least 2. @default 5 */
  readonly folds?: number;
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
 *
 * @throws EspalierError `option-invalid`
 */
export function decisionFit(options: DecisionFitOptions = {}): Optimizer {
  const { steps = 25, folds = 5, seed = 0, budget, parameters } = options;
  checkCount("steps", steps, 2, "decisionFit()");
  checkCount("folds", folds, 2, "decisionFit()");
  return Object.freeze({
    name: "decision-fit",
    version: "1",
    seed,
    ...(budget === undefined ? {} : { budget }),
    asksReflection: false,
    endsByItself: true,
    settings: { steps, folds, ...(parameters && { parameters }) },
    doPlan: (space) => {
      const weights = weighedParameters(space, parameters);
      const { length } = space.val;
      // At least one more way for each weight; programs that decide repeatedly have more.
      const rollouts = (1 + weights.length) * length;
      // In one pass over the weights.
      const tried = weights.length * steps;
      return {
        seedEvaluation: length,
        perProposal: { refused: 0, accepted: weights.length * length },
        proposals: { least: tried, expected: tried, most: tried },
        fullValidations: null,
        calls: { student: rollouts * predictorCount(space.components), reflection: 0 },
        examplesPerText: 0,
        warnings: [],
      };
    },
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizer loads nothing that runs programs.
      const { fitDecisions } = await import("./fit-decisions.ts");
      return fitDecisions(space, run, {
        weights: weighedParameters(space, parameters),
        steps,
        folds,
      });
    },
  } satisfies Optimizer);
}
