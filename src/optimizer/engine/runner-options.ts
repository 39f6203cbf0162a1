import type { Clock } from "../../internal/index.ts";
import type { Budget, PriceTable } from "../budget/index.ts";
import { withReflectionCap } from "../budget/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "../contract/optimizer-event.ts";
import type { Optimizer, RandomSources } from "../contract/optimizer.ts";
import type { DescribedRun } from "./run-description.ts";

export interface RunnerOptions {
  readonly optimizer: Optimizer;
  /** @default the optimizer's own */
  readonly budget?: Budget;
  /** Required for a budget in money, for every role that the run uses; 0 for free roles. */
  readonly prices?: PriceTable;
  /** @default the optimizer's own */
  readonly seed?: number;
  /** For reproducing runs of other engines. @default counter-based, by seed, stream and index */
  readonly randomSources?: RandomSources;
  /** Rollouts in flight; limits I/O only and changes no result. @default 16 */
  readonly concurrency?: number;
  /** Complete re-runs of an example after a fault, before anything is decided. @default 3 */
  readonly faultRetries?: number;
  /**
   * Runs of each example, each a metric call; their mean is its score. For noisy metrics and
   * programs. @default 1
   */
  readonly repetitions?: number;
  /**
   * Minimum share of judged rollouts that must be scored for a candidate to be accepted. @default
   * 0.95
   */
  readonly coverageFloor?: number;
  /** Holds the journal. Absent: the run is kept in memory and cannot be resumed. */
  readonly runFolder?: string;
  /** Resumes the run in `runFolder`, which must be the same run. @default false */
  readonly resume?: boolean;
  /**
   * With `resume`, continues a run that an outside event ended, instead of only reporting it again;
   * if the run does not match, its end stays recorded. @default false
   */
  readonly reopen?: boolean;
  readonly signal?: AbortSignal;
  /**
   * Receives decisions in the documented order, and progress. Its throws and rejections do not end
   * the run; they are counted in the result. To end a run, give a `signal`.
   */
  readonly onEvent?: (event: OptimizerEvent | OptimizerProgress) => void;
  readonly clock?: Clock;
}

/** The options that the trajectory depends on, with their defaults. */
export function describedRun({
  optimizer,
  seed = optimizer.seed,
  budget = optimizer.budget ?? {},
  prices,
  coverageFloor = 0.95,
  repetitions = 1,
  faultRetries = 3,
  randomSources,
}: RunnerOptions): DescribedRun {
  return {
    optimizer,
    seed,
    budget: withReflectionCap(budget, { ...optimizer, repetitions }),
    prices,
    coverageFloor,
    repetitions,
    faultRetries,
    randomSources,
  };
}
