import type { MetricRow, SplitName, Candidate, Score, Trace } from "../../contract/index.ts";
import type { Rollout } from "./rollout.ts";

export interface EvaluateRequest {
  readonly candidate: Candidate;
  readonly split: SplitName;
  /** Ids from that split, without duplicates. */
  readonly exampleIds: readonly string[];
  /** The predictor whose gold takes its place; see `Gold`. @default none */
  readonly gold?: string;
  /** The teacher runs every predictor; without an LM of its own, it is the student. */
  readonly lm?: "teacher";
  /** Temperature of every call of a predictor, in place of the predictor's own. */
  readonly temperature?: number;
  /**
   * Number of this run among those of the same examples: another one has other seeds, and is not
   * answered from recorded replies. @default 0
   */
  readonly round?: number;
}

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

/** One run of a candidate on an example as it happened, with all that its record leaves out. */
export interface JudgedRun {
  /** All components. */
  readonly candidate: Candidate;
  readonly split: SplitName;
  readonly exampleId: string;
  readonly score: Score;
  readonly trace: Trace;
  /** `false`: run by a teacher, with gold in place of a part, or at another temperature. */
  readonly isOwn: boolean;
}
