import type { SplitName } from "../../contract/index.ts";
import type { Interval } from "../../statistics/index.ts";
import type { CandidateRecord, Measure } from "../../optimizer/index.ts";
import type { ScoreColumn } from "./score-column.ts";

/** A measure of a candidate on the split that selects. */
export interface ComparedMeasure extends Measure {
  /**
   * 95 %, by a bootstrap over clusters; `null` where the value is no mean of scores, is an estimate
   * (`seen`), or rests on fewer than two clusters, and for costs.
   */
  readonly interval: Interval | null;
}

/** A candidate of a run, or the one program of a result or an artifact. */
export interface ComparedCandidate extends Pick<
  CandidateRecord,
  "id" | "parents" | "iteration" | "changed"
> {
  /** Places in the source's `components`. */
  readonly components: readonly number[];
  /**
   * `quality` first: the objective on the split that selects; then further objectives, and average
   * costs of one example. Empty where nothing is known of it.
   */
  readonly measures: readonly ComparedMeasure[];
  /** Examples that `quality` rests on, if it is an estimate. */
  readonly seen?: number;
  /**
   * Its last score on each example, by split. `val` of a run's candidate holds every example that
   * its quality rests on; `train` those of its minibatches.
   */
  readonly scores: { readonly [Split in SplitName]?: ScoreColumn };
  /** Why it became a candidate; absent outside of runs. */
  readonly acceptance?: CandidateRecord["acceptance"];
  /** The minibatch that decided; `examples` are places. */
  readonly gate?: {
    readonly examples: readonly number[];
    readonly parentSum: number;
    readonly childSum: number;
  };
  /** Metric calls that the run had spent before it was evaluated; 0 outside of runs. */
  readonly metricCallsBefore: number;
}
