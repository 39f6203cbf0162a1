import type { Candidate } from "../../contract/index.ts";

/** How a candidate did on the examples that select. */
export interface Selection {
  /** The objective over the scored examples. */
  readonly value: number;
  /**
   * By example id, in the split's order, but for ids that are whole numbers: as in any object of
   * JavaScript, these come first, by size. `null` where the metric did not apply or a fault stayed.
   */
  readonly scores: Readonly<Record<string, number | null>>;
  /** scored / (scored + unscored). */
  readonly coverage: number;
  /** Mean of each objective that the metric gave; absent when it gave none. */
  readonly objectives?: Readonly<Record<string, number>>;
  /** By example id, then by objective. */
  readonly objectiveScores?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Means over the examples that were run; absent when no LM was asked. */
  readonly costs?: Costs;
}

/** What one example takes, on average; calls and tokens as if nothing were cached. */
export interface Costs {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly lmCalls: number;
  /** In milliseconds, only where the run measures it. */
  readonly latencyMs?: number;
}

/** One candidate that was accepted: what it is, where it comes from, how good it is. Immutable. */
export interface CandidateRecord {
  /** Counted in the order of acceptance; 0 is the seed. */
  readonly id: number;
  /** Every component that the optimizer may change, with this candidate's value. */
  readonly components: Candidate;
  readonly parents: readonly number[];
  /** 0 for the seed. */
  readonly iteration: number;
  /** Components that differ from the first parent: `instruction:answer`; none for the seed. */
  readonly changed: readonly string[];
  /** Examples of train that it learnt from; none for the seed and for merges. */
  readonly learntFrom: readonly string[];
  /** Sums over the minibatch that decided; absent where none did. */
  readonly gate?: {
    readonly exampleIds: readonly string[];
    readonly parentSum: number;
    readonly childSum: number;
  };
  readonly selection: Selection;
  /** What made it a candidate. */
  readonly acceptance: {
    /** The strategy that decided; `seed` and `merge` are not asked. */
    readonly by: string;
    /** In a sentence. */
    readonly detail: string;
  };
  /**
   * Metric calls spent before it was evaluated for selection, where several are evaluated side by
   * side as if it were one after the other.
   */
  readonly metricCallsBefore: number;
}

/** Why a proposal did not become a candidate. */
export type RejectionReason =
  | "placeholder-lost"
  | "copies-examples"
  | "duplicate"
  | "not-selected"
  | "not-better-on-val"
  | "empty"
  | "unchanged"
  | "already-tried"
  | "truncated"
  | "too-long"
  | "polluted"
  | "json"
  | "unreadable"
  | "reflection-fault"
  | "not-better"
  | "low-coverage";

/**
 * Whether a proposal so refused was refused over its text alone, before an example was run with it.
 */
export function isRejectedUntried(reason: RejectionReason): boolean {
  switch (reason) {
    case "empty":
    case "unchanged":
    case "already-tried":
    case "duplicate":
    case "truncated":
    case "too-long":
    case "polluted":
    case "json":
    case "placeholder-lost":
    case "copies-examples":
    case "unreadable":
    case "reflection-fault":
      return true;
    case "not-selected":
    case "not-better":
    case "not-better-on-val":
    case "low-coverage":
      return false;
  }
}

/** A proposal that was refused, and why. */
export interface Rejection {
  readonly iteration: number;
  readonly parents: readonly number[];
  /** Components that it changed. */
  readonly components: readonly string[];
  readonly reason: RejectionReason;
  /** The reason in a sentence. */
  readonly detail: string;
  /** By component; absent when reflection brought none. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** `instruction:answer`: how a component is named in events and lineages. */
export function componentId({
  kind,
  path,
}: {
  readonly kind: string;
  readonly path: string;
}): string {
  return `${kind}:${path}`;
}
