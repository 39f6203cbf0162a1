import type { Failure } from "../errors/index.ts";

/** Holds one part of a program responsible for a score. */
export interface Blame {
  /** Call path (`hop[1]/generateQueries`) or predictor name (`generateQueries`). */
  readonly path: string;
  /** This part's own score, in the metric's range. */
  readonly score?: number;
  /** What this part did wrong or right, in words a reflection LM can use. */
  readonly text: string;
}

export interface Scored {
  readonly kind: "scored";
  /** Higher is better. */
  readonly value: number;
  readonly feedback?: string;
  readonly blame?: readonly Blame[];
  /** Further objectives by name, higher is better. */
  readonly objectives?: Readonly<Record<string, number>>;
  /**
   * What the metric found out besides figures, by name, such as how far an answer declined. Reports
   * group by it; nothing is decided from it.
   */
  readonly verdicts?: Readonly<Record<string, string>>;
}

/** The metric does not apply to this example: excluded from means, does not lower coverage. */
export interface NotApplicable {
  readonly kind: "not-applicable";
  readonly reason: string;
}

/** A fault prevented scoring: excluded from means, lowers coverage. */
export interface Unscored {
  readonly kind: "unscored";
  readonly failure: Failure;
}

/** A metric's verdict on one example. */
export type Score = Scored | NotApplicable | Unscored;
