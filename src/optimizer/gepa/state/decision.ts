import type { Candidate, Component } from "../../../contract/index.ts";
import type { CandidateRecord, Rejection, Selection } from "../../candidate/candidate-record.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { ActingObservation } from "./acting-estimate.ts";
import type { MergedChild } from "../strategy/merge-proposal.ts";
import type { Panel } from "../strategy/strategy.ts";
import type { Trial } from "./search-state.ts";

/** One decision of a stage; only `advance` acts on it. */
export type Decision =
  | { readonly kind: "iteration-begun" | "iteration-ended" }
  /** An iteration spent no metric call on a new text; it counts as so many. */
  | { readonly kind: "nothing-tried"; readonly iterations: number }
  /** Metric calls were spent on a new text. */
  | { readonly kind: "text-tried" }
  /** The budget allows no further attempt. */
  | { readonly kind: "budget-reached" }
  /** Texts were requested. */
  | { readonly kind: "texts-requested" }
  | { readonly kind: "panel-drawn"; readonly panel: Panel }
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
      /** What they are part of. */
      readonly candidate: Candidate;
      /** Whether the trial decides unless scores vary; see `TriedTexts`. */
      readonly isDecided: boolean;
      /** What it showed of a text alone. */
      readonly trial?: Trial;
    }
  /** Changing these components because of a rollout's feedback failed. */
  | {
      readonly kind: "lesson-failed";
      readonly components: readonly Component[];
      readonly rollout: Rollout;
    }
  /** A proposal got no text that was worth a rollout. */
  | { readonly kind: "nothing-written" }
  /** A child was better than its parent, or worse, on the minibatch or on val. */
  | {
      readonly kind: "child-judged";
      readonly isAccepted: boolean;
      /** Of its missing rollouts, the share that it took on val; absent: it did not get there. */
      readonly shareOfVal?: number;
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
  /** What it acted on: examples, and the components that it changed because of them. */
  readonly acted: {
    readonly exampleIds: readonly string[];
    readonly components: readonly Component[];
  };
  /** Its own rollouts on train. */
  readonly onTrain: readonly Rollout[];
  /** What these showed about the lessons that it was written from. */
  readonly observed: readonly ActingObservation[];
}

/**
 * A stage that decides several times. It yields decisions, which are acted on before it goes on;
 * `Search` has the state after them.
 */
export type Stage<TResult = void> = AsyncGenerator<readonly Decision[], TResult, void>;
