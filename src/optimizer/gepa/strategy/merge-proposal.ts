import type { Candidate } from "../../../contract/index.ts";
import type { Strategy } from "./strategy.ts";
import type { DrawView, ParentView } from "./views.ts";

/** What two candidates are merged by. */
export interface MergeView extends DrawView, Pick<ParentView, "candidates" | "frontier"> {
  readonly val: readonly string[];
}

/** Puts together what two candidates learnt apart. */
export interface MergeProposal extends Strategy {
  /** Whether a candidate that reflection brought earns another merge. */
  isEarned(history: MergeHistory): boolean;
  /** Whether this iteration merges, if it can, rather than reflects. */
  isDue(history: MergeHistory): boolean;
  /** `null`: no two candidates can be merged now. */
  propose(view: MergeView, history: MergeHistory): MergedChild | null;
}

/** A child of two candidates that went different ways. */
export interface MergedChild {
  readonly components: Candidate;
  /** Ascending. */
  readonly parents: readonly [number, number];
  readonly ancestor: number;
  /** Whom each component came from, in their order. */
  readonly sources: readonly number[];
  /** Examples of val to try it on first, each once; both parents have a score there. */
  readonly exampleIds: readonly string[];
}

/** What a run has merged so far. */
export interface MergeHistory {
  /** Merges that were earned, less those that were accepted. */
  readonly due: number;
  readonly accepted: number;
  /** Whether reflection brought a candidate in the iteration before. */
  readonly isNewSince: boolean;
  /** All that were proposed, accepted or not. */
  readonly proposed: readonly MergedChild[];
}

export const noMerges: MergeHistory = Object.freeze({
  due: 0,
  accepted: 0,
  isNewSince: false,
  proposed: [],
});

/** Reflection brought a candidate. */
export function earnMerge(history: MergeHistory, merge: MergeProposal | null): MergeHistory {
  const due = history.due + (merge?.isEarned(history) === true ? 1 : 0);
  return { ...history, due, isNewSince: true };
}
