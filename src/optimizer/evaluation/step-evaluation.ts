import type { Candidate, SplitName } from "../../contract/index.ts";
import type { Rollout } from "./rollout.ts";

export interface EvaluateRequest {
  readonly candidate: Candidate;
  readonly split: SplitName;
  /** Of that split; each at most once. */
  readonly exampleIds: readonly string[];
}

/** How a candidate did on some examples. */
export interface StepEvaluation {
  /** In the order asked for. */
  readonly rollouts: readonly Rollout[];
  /** The objective over the scored ones; `null` when none was scored. */
  readonly value: number | null;
  /** Whether that is their mean; else sums of scores say little of it. */
  readonly isMean: boolean;
  /** By example id; `null` where there is no score. */
  readonly scores: Readonly<Record<string, number | null>>;
  /** scored / (scored + unscored); 1 when the metric applies to none. */
  readonly coverage: number;
  /** Whether something was scored and coverage reaches the floor. */
  readonly isAcceptable: boolean;
}
