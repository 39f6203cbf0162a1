import type { Candidate } from "../../../contract/index.ts";
import type { SearchView, Strategy } from "../strategy/strategy.ts";

/** What merges of a run were made before. Grows as merges are proposed. */
export interface MergeHistory {
  /** Merges that accepted candidates have earned and that were not accepted yet. */
  due: number;
  accepted: number;
  /** Whether a candidate was accepted since the last merge was proposed. */
  isNewSince: boolean;
  /** Pairs with the ancestor they were merged over. */
  readonly triples: Set<string>;
  /** Pairs with whom each component came from. */
  readonly outcomes: Set<string>;
}

/** A child of two candidates that went different ways. */
export interface MergedChild {
  readonly components: Candidate;
  readonly parents: readonly [number, number];
  readonly ancestor: number;
  /** Examples of val to try it on first. */
  readonly exampleIds: readonly string[];
}

/** Puts together what two candidates learnt apart. */
export interface MergeProposal extends Strategy {
  /** Whether this iteration merges rather than reflects. */
  isDue(history: MergeHistory): boolean;
  /** Whether an accepted candidate earns another merge. */
  isEarned(history: MergeHistory): boolean;
  /** `null`: no two candidates can be merged now. */
  propose(view: SearchView, history: MergeHistory): MergedChild | null;
}
