import type { Candidate, MetricRow, SplitName } from "../../contract/index.ts";
import type { Rollout } from "./rollout.ts";

/** Runs candidates on examples and judges what comes out. */
export interface Evaluator {
  /**
   * Judges one candidate on examples of one split, in any order, and hands over each rollout as
   * soon as it is judged. What faults left unscored is handed over last, since it may yet be
   * scored.
   */
  readonly evaluate: (request: EvaluatorRequest) => Promise<void>;
  /** The objective over some scored examples, at least one; absent: their mean. */
  readonly aggregate?: (split: SplitName, scored: readonly ScoredRollout[]) => number;
}

/** A scored example as a metric aggregates it, by id. */
export interface ScoredRollout extends Pick<MetricRow, "value" | "objectives"> {
  readonly exampleId: string;
}

export interface EvaluatorRequest {
  readonly candidate: Candidate;
  readonly split: SplitName;
  readonly exampleIds: readonly string[];
  /** Whether to keep feedback and traces; never for examples that select. */
  readonly keepsLessons: boolean;
  /** Tells this request apart from others of the same step. */
  readonly scope: string;
  /** Tells runs of the same example apart, and seeds them. @default 0 */
  readonly repetition?: number;
  readonly signal: AbortSignal;
  readonly onRollout: (rollout: Rollout) => void;
}
