import type { Component } from "../../../contract/index.ts";
import type { CandidateRecord, Rejection, Selection } from "../../candidate/candidate-record.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { MergedChild } from "../strategy/merge-proposal.ts";

/** One decision of a stage; only `advance` acts on it. */
export type Decision =
  | { readonly kind: "iteration-begun" | "iteration-ended" }
  /** Whether an iteration spent metric calls on a new text. */
  | { readonly kind: "text-tried" | "nothing-tried" }
  /** The budget allows no further attempt. */
  | { readonly kind: "budget-reached" }
  /** Texts were requested. */
  | { readonly kind: "texts-requested" }
  | { readonly kind: "merge-sought"; readonly child: MergedChild | null }
  | {
      readonly kind: "proposal-skipped";
      readonly parent: number;
      readonly reason: "all-perfect" | "not-invoked" | "low-coverage" | "nothing-left";
    }
  /** The component whose turn it is when this parent's next child is made. */
  | { readonly kind: "turn-moved"; readonly parent: number; readonly pointer: number }
  /** Whether the proposer failed on each component's text. */
  | {
      readonly kind: "texts-written";
      readonly texts: readonly { readonly component: string; readonly isFailure: boolean }[];
    }
  | {
      readonly kind: "proposed";
      readonly parents: readonly number[];
      /** New texts by component. */
      readonly texts: Readonly<Record<string, string>>;
    }
  /** These texts were tried without success. */
  | {
      readonly kind: "texts-tried";
      readonly components: readonly Component[];
      /** Whether the trial decides; see `TriedTexts`. */
      readonly isDecided: boolean;
    }
  /** Changing these components because of a rollout's feedback failed. */
  | {
      readonly kind: "lesson-failed";
      readonly components: readonly Component[];
      readonly rollout: Rollout;
    }
  | { readonly kind: "rejected"; readonly rejection: Omit<Rejection, "iteration"> }
  | Acceptance
  | {
      readonly kind: "confirmed";
      readonly candidate: CandidateRecord;
      /** Replaces the selection with which it was accepted. */
      readonly selection: Selection;
    }
  /** The end of score reuse has been acted on. */
  | { readonly kind: "reuse-ended" }
  /** Another candidate is the best now, though nothing was accepted. */
  | { readonly kind: "best-replaced"; readonly best: CandidateRecord };

export interface Acceptance {
  readonly kind: "accepted";
  readonly candidate: Omit<CandidateRecord, "id" | "iteration">;
  readonly by: "seed" | "merge" | "reflection";
  /** Whether it becomes the best if its parent was the best. */
  readonly supersedes?: boolean;
  /** Examples whose lessons it was to heed, and the components that it changed for that. */
  readonly actedOn: {
    readonly exampleIds: readonly string[];
    readonly components: readonly Component[];
  };
  /** Its own rollouts on train. */
  readonly onTrain: readonly Rollout[];
}

/**
 * A stage that decides several times. It yields decisions, which are acted on before it goes on;
 * `Search` has the state after them.
 */
export type Stage<TResult = void> = AsyncGenerator<readonly Decision[], TResult, void>;
