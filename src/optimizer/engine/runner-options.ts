import type { Clock } from "../../internal/index.ts";
import type { Budget, PriceTable } from "../budget/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "../contract/optimizer-event.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import type { RandomSources } from "../contract/random-sources.ts";
import type { DescribedRun } from "./run-description.ts";

export interface RunnerOptions {
  readonly optimizer: Optimizer;
  /** @default the optimizer's own */
  readonly budget?: Budget;
  /** Needed for a budget in money, of every role that the run uses; 0 for what is free. */
  readonly prices?: PriceTable;
  /** @default the optimizer's own */
  readonly seed?: number;
  /** To reproduce the runs of other engines. @default counter-based, by seed, stream and index */
  readonly randomSources?: RandomSources;
  /** Rollouts in flight; bounds I/O only and changes no result. @default 16 */
  readonly concurrency?: number;
  /** Whole re-runs of an example after a fault, before anything is decided. @default 3 */
  readonly faultRetries?: number;
  /**
   * Runs of each example, each a metric call, whose mean is its score: for noisy metrics and
   * programs.
   * @default 1
   */
  readonly repetitions?: number;
  /**
   * Least share of judged rollouts that must be scored for a candidate to be accepted.
   * @default 0.95
   */
  readonly coverageFloor?: number;
  /** Holds the journal. Absent: the run is kept in memory and cannot be resumed. */
  readonly runFolder?: string;
  /** Goes on with the run in `runFolder`, which must be the same run. @default false */
  readonly resume?: boolean;
  /**
   * With `resume`, a run that something outside ended goes on where it ended, in place of being
   * told of once more; a run that is refused stays ended. @default false
   */
  readonly reopen?: boolean;
  readonly signal?: AbortSignal;
  /**
   * Hears what is decided, in the documented order, and of progress. What it throws or rejects with
   * ends nothing, and is counted in the result; to end a run, give a `signal` or a `stopSignal`.
   */
  readonly onEvent?: (event: OptimizerEvent | OptimizerProgress) => void;
  readonly clock?: Clock;
}

/**
 * Those that the trajectory depends on, with their defaults: what is described is what is run,
 * since both ask here.
 */
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
    budget,
    prices,
    coverageFloor,
    repetitions,
    faultRetries,
    randomSources,
  };
}
