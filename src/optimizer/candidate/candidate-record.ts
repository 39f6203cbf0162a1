import type { Candidate } from "../../contract/index.ts";

/** A candidate's results on the examples that select. */
export interface Selection {
  /** The objective over the scored examples; an estimate of it if `seen` is present. */
  readonly value: number;
  /**
   * Number of examples that it was run on, if these are not all of val. `value` is then the
   * objective over them or, by `bootstrapFewShot()`, the seed's value plus the gain on them, which
   * may pass the range of the metric's scores. Everything else here is of these examples alone.
   */
  readonly seen?: number;
  /**
   * By example id, in the split's order, except that integer ids come first, ascending, as in any
   * JavaScript object. `null` where the metric did not apply or a fault remained.
   */
  readonly scores: Readonly<Record<string, number | null>>;
  /** scored / (scored + unscored). */
  readonly coverage: number;
  /** Mean of each objective that the metric returned; absent when it returned none. */
  readonly objectives?: Readonly<Record<string, number>>;
  /** By example id, then by objective. */
  readonly objectiveScores?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Means over the examples that were run; absent when no LM was called. */
  readonly costs?: Costs;
}

/** Average cost of one example; calls and tokens as if nothing were cached. */
export interface Costs {
  /** This and the next: absent where a reply did not say how many it took. */
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly lmCalls: number;
  /** In milliseconds; present only if the run measures it. */
  readonly latencyMs?: number;
}

/** One accepted candidate: its components, its origin and its results. Immutable. */
export interface CandidateRecord {
  /** Numbered in order of acceptance; 0 is the seed. */
  readonly id: number;
  /** Every component that the optimizer may change, with this candidate's value. */
  readonly components: Candidate;
  readonly parents: readonly number[];
  /** 0 for the seed. */
  readonly iteration: number;
  /**
   * Components that differ from the first parent, such as `instruction:answer`; empty for the seed.
   */
  readonly changed: readonly string[];
  /** Training examples it learned from; empty for the seed. */
  readonly learntFrom: readonly string[];
  /** Sums over the minibatch that decided; absent if no minibatch decided. */
  readonly gate?: {
    readonly exampleIds: readonly string[];
    readonly parentSum: number;
    readonly childSum: number;
  };
  readonly selection: Selection;
  /** Why it became a candidate. */
  readonly acceptance: {
    /** The strategy that decided, or `seed`, which consults none. */
    readonly by: string;
    /** A sentence. */
    readonly detail: string;
  };
  /**
   * Metric calls spent before its evaluation for selection. Candidates evaluated side by side are
   * counted as if evaluated one after the other.
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

/** Whether the proposal was rejected for its text alone, before any example was run with it. */
export function isRejectedUntried(reason: RejectionReason): boolean {
  return !afterRuns.has(reason);
}

const afterRuns: ReadonlySet<RejectionReason> = new Set<RejectionReason>([
  "not-selected",
  "not-better",
  "not-better-on-val",
  "low-coverage",
]);

/** A rejected proposal and the reason. */
export interface Rejection {
  readonly iteration: number;
  readonly parents: readonly number[];
  /** Components it changed. */
  readonly components: readonly string[];
  readonly reason: RejectionReason;
  /** The reason as a sentence. */
  readonly detail: string;
  /** By component; absent when reflection returned none. */
  readonly texts?: Readonly<Record<string, string>>;
}
