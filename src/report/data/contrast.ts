import type { SplitName } from "../../contract/index.ts";
import type { Comparison, VerdictWords } from "../../evaluate/index.ts";
import type { Interval } from "../../statistics/index.ts";

/**
 * A candidate, or the candidates of several runs taken together: an example's score is then their
 * mean over the runs that have one.
 */
export interface Side {
  /** In a few words: `gepa (2 seeds)`, `notes-1, candidate 7`. */
  readonly name: string;
  readonly members: readonly { readonly source: string; readonly candidate: number }[];
}

/** How one side differs from another on the examples that both scored. */
export interface Contrast extends Pick<
  Comparison,
  | "difference"
  | "interval"
  | "pValue"
  | "verdict"
  | "examples"
  | "clusters"
  | "better"
  | "worse"
  | "equal"
> {
  /**
   * - `seed`: the best of a run against the program that it started from.
   * - `group`: the best of one group of runs against that of the first group.
   * - `result`: a result against the first one of the same split.
   */
  readonly kind: "seed" | "group" | "result";
  readonly baseline: Side;
  readonly other: Side;
  readonly split: SplitName;
  /**
   * Whether the other side was chosen by these scores: the difference then flatters it.
   */
  readonly isSelected: boolean;
  /** By stratification, in the order of the comparison's `strata`; of large groups first. */
  readonly strata: readonly StratumDifference[];
  /** Paired by seed, where both sides have runs of the same seeds. */
  readonly overSeeds?: SummaryOverSeeds;
}

/** A difference within the examples that share a label's value. */
export interface StratumDifference extends Pick<
  Comparison,
  "difference" | "interval" | "pValue" | "examples" | "clusters" | "better" | "worse"
> {
  /** A stratification's label, and the value. */
  readonly label: string;
  readonly group: string;
  readonly baseline: number;
  readonly other: number;
}

/** Runs that differ in nothing but their seed. */
export interface SourceGroup {
  /** What tells it from the other groups, in a few words: `gepa`, `gepa, metricCalls 500`. */
  readonly name: string;
  /** Keys of its sources, in the order of their seeds. */
  readonly sources: readonly string[];
  readonly seeds: readonly number[];
  /** The best candidate's value on val, the gain over the seed program, costs; over seeds. */
  readonly figures: readonly SummaryOverSeeds[];
}

/** A figure over a group's seeds. */
export interface SummaryOverSeeds {
  /**
   * `val`, `test`, `gain on val`, `gain on test`, `metricCalls`, `tokens`, `costUsd`; of a contrast
   * `difference`.
   */
  readonly figure: string;
  /** One for each seed that has it. */
  readonly values: readonly number[];
  readonly mean: number;
  /** 95 %, Student's t over seeds; `null` with fewer than two. */
  readonly interval: Interval | null;
}

/** What won, by how much, how certainly, and at what cost: the first thing to read. */
export interface Headline extends HeadlineCost {
  readonly kind: Contrast["kind"];
  /** The side that won, or has the highest value if nothing is certain. */
  readonly winner: Side;
  /** What it is compared with. */
  readonly baseline: Side;
  /** `test` if both were reported on there, otherwise the split that selected. */
  readonly split: SplitName;
  readonly metric: string;
  readonly value: number;
  readonly baselineValue: number;
  /** `value` minus `baselineValue`, with its interval at 95 %. */
  readonly difference: number;
  readonly interval: Interval | null;
  readonly verdict: Comparison["verdict"];
  /** The verdict in words: what decided, and what would help. */
  readonly words: VerdictWords;
  /** Those that both sides scored, and how many of them the winner scored higher and lower. */
  readonly examples: number;
  readonly better: number;
  readonly worse: number;
  readonly clusters: number;
  /** Whether the rehearsal LM answered the winner: the figures say nothing about a real model. */
  readonly isRehearsal: boolean;
  /** What the other side cost; absent where that is the start of the same search. */
  readonly baselineCost?: HeadlineCost;
  /** Means over seeds on test, which no search saw, where all runs were reported on. */
  readonly onTest?: { readonly value: number; readonly baselineValue: number };
  /** Where more than two were compared: how many, and which of them the winner is set against. */
  readonly among?: {
    readonly count: number;
    readonly against: "the first one given" | "the next highest";
  };
  /** Metrics that are worse than the seed's on test, of a winner that its search started from. */
  readonly fell?: readonly FallenMetric[];
  /** What won, against what, in one sentence of plain text. */
  readonly lead: string;
  /** The same, with by how much, how surely, at what cost, and what a reader must know. */
  readonly sentence: string;
}

/** A further metric that became worse, beside the one that decides. */
export interface FallenMetric {
  readonly metric: string;
  readonly value: number;
  /** `value` minus that of the seed: below zero. */
  readonly difference: number;
}

/** Logical; of all runs of one side together. `null` where one does not tell. */
export interface HeadlineCost {
  readonly metricCalls: number | null;
  readonly tokens: number | null;
  /** US dollars. */
  readonly costUsd: number | null;
}
