import type { MetricRow, SplitName } from "../../contract/index.ts";
import type { Rollout } from "./rollout.ts";
import type { EvaluateRequest } from "./step-evaluation.ts";

/** Runs candidates on examples and judges the results. */
export interface Evaluator {
  /**
   * Judges one candidate on examples of one split, in any order, and delivers each rollout as soon
   * as it is judged. Rollouts that faults left unscored come last, since they may still be scored.
   */
  readonly evaluate: (request: EvaluatorRequest) => Promise<void>;
  /** The objective over some scored examples, at least one; absent: their mean. */
  readonly aggregate?: (split: SplitName, scored: readonly ScoredRollout[]) => number;
}

/** A scored example, identified by id, as a metric aggregates it. */
export interface ScoredRollout extends Pick<MetricRow, "value" | "objectives"> {
  readonly exampleId: string;
}

export interface EvaluatorRequest extends EvaluateRequest {
  /** Whether to keep feedback and traces; never for examples that select. */
  readonly keepsLessons: boolean;
  /** Separates this request from others of the same step. */
  readonly scope: string;
  /** Number of the run of the same example; it also seeds the run. @default its round */
  readonly repetition?: number;
  readonly signal: AbortSignal;
  readonly onRollout: (rollout: Rollout) => void;
}
