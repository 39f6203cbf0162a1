import type { Candidate, SplitName } from "../../contract/index.ts";
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

/** A candidate's results on some examples. */
export interface StepEvaluation {
  /** In the requested order. */
  readonly rollouts: readonly Rollout[];
  /** The objective over the scored rollouts; `null` when none was scored. */
  readonly value: number | null;
  /** Whether `value` is the mean of the scores; if not, sums of scores say little about it. */
  readonly isMean: boolean;
  /** By example id; `null` if there is no score. */
  readonly scores: Readonly<Record<string, number | null>>;
  /** scored / (scored + unscored); 1 if the metric applies to no example. */
  readonly coverage: number;
  /** Whether at least one rollout was scored and coverage reaches the floor. */
  readonly isAcceptable: boolean;
}
