import type { Candidate } from "../../../../src/contract/index.ts";
import type { Strategy } from "../../../../src/optimizer/contract/optimizer.ts";
import type { SearchView } from "../../../../src/optimizer/gepa/strategy/strategy.ts";

/** What a merge of two candidates is based on. */
export interface MergeView extends Pick<SearchView, "candidates" | "frontier" | "random"> {
  readonly val: readonly string[];
}

/** Combines what two candidates learned separately. */
export interface MergeProposal extends Strategy {
  /** Whether a candidate found by reflection earns another merge. */
  isEarned(history: MergeHistory): boolean;
  /** Whether this iteration merges, if possible, instead of reflecting. */
  isDue(history: MergeHistory): boolean;
  /** `null`: no two candidates can be merged now. */
  propose(view: MergeView, history: MergeHistory): MergedChild | null;
}

/** A child of two candidates whose lineages diverged. */
export interface MergedChild {
  readonly components: Candidate;
  /** Ascending. */
  readonly parents: readonly [number, number];
  readonly ancestor: number;
  /** The candidate that each component came from, in the components' order. */
  readonly sources: readonly number[];
  /** Val examples to try it on first, without duplicates; both parents have a score on each. */
  readonly exampleIds: readonly string[];
}

/** What a run has merged so far. */
export interface MergeHistory {
  /** Earned merges minus accepted merges. */
  readonly due: number;
  readonly accepted: number;
  /** Whether reflection added a candidate in the previous iteration. */
  readonly isNewSince: boolean;
  /** All proposed merges, accepted or not. */
  readonly proposed: readonly MergedChild[];
}

export const noMerges: MergeHistory = Object.freeze({
  due: 0,
  accepted: 0,
  isNewSince: false,
  proposed: [],
});
