import type { CandidateRecord, Rejection, Selection } from "../../candidate/candidate-record.ts";
import type { Component } from "../../../contract/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { MergedChild } from "../strategy/merge-proposal.ts";

/** One thing that a stage decided; `advance` alone acts on it. */
export type Decision =
  | { readonly kind: "iteration-begun" | "iteration-ended" | "nothing-to-try" }
  | { readonly kind: "merge-sought"; readonly child: MergedChild | null }
  | {
      readonly kind: "proposal-skipped";
      readonly parent: number;
      readonly reason: "all-perfect" | "not-invoked" | "low-coverage" | "nothing-left";
    }
  /** Whose turn it is when this parent's next child is made. */
  | { readonly kind: "turn-moved"; readonly parent: number; readonly pointer: number }
  /** Whether the proposer failed at each component's text. */
  | {
      readonly kind: "texts-written";
      readonly texts: readonly { readonly component: string; readonly isFailure: boolean }[];
    }
  | {
      readonly kind: "proposed";
      readonly parents: readonly number[];
      /** New texts by component. */
      readonly texts: Readonly<Record<string, string>>;
      /** Components with texts that rollouts will be spent on. */
      readonly tried: readonly Component[];
    }
  /** Changing these components by what was said in a rollout came to nothing. */
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
      /** In place of the one that it was accepted with. */
      readonly selection: Selection;
    }
  /** Another candidate is the best, though nothing was accepted. */
  | { readonly kind: "best-replaced"; readonly best: CandidateRecord };

export interface Acceptance {
  readonly kind: "accepted";
  readonly candidate: Omit<CandidateRecord, "id" | "iteration">;
  readonly by: "seed" | "merge" | "reflection";
  /** Whether it is best where its parent was. */
  readonly supersedes?: boolean;
  /** What it acted on: examples, and the components that it changed by them. */
  readonly acted: {
    readonly exampleIds: readonly string[];
    readonly components: readonly Component[];
  };
  /** Its own on train. */
  readonly onTrain: readonly Rollout[];
}
