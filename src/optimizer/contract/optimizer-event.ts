import type { JsonObject, SplitName } from "../../contract/index.ts";
import type { UsageByRole } from "../budget/index.ts";
import type { CandidateRecord, Rejection, Selection } from "../candidate/candidate-record.ts";
import type { ChosenSearch } from "./optimizer-plan.ts";

/** Why a run ended. */
export type StopReason =
  /** The next step does not fit the budget; the outcome's detail names the cap. */
  | "budget"
  /** The search has tried everything it set out to try. */
  | "all-tried"
  /** A stopper ended the run; the outcome's detail names it. */
  | "stopper"
  /** Too many iterations since the last new candidate ended without a new text to try. */
  | "nothing-new"
  /** The reflection LM failed too many times in a row. */
  | "reflection-failing";

/**
 * What an optimizer decided. `run-start`, `iteration-end` and `run-end` are in the journal before a
 * listener sees them, together with everything before them; the other events are written with the
 * next of these, or when the event loop turns.
 *
 * `eventOrder` says which may follow which. After an evaluation come the `score-reuse-kept` and
 * `score-reuse-ended` of reused scores that a re-run disagreed with, a `budget-spent` before each
 * for every time both were run once more; and a `gold-replayed` for each failing rollout of train
 * that was run again with gold, then a `budget-spent`.
 */
export type OptimizerEvent =
  | {
      readonly kind: "run-start";
      readonly format: "espalier-journal/5";
      /** Everything the trajectory depends on; a resumed run must match it. */
      readonly run: JsonObject;
    }
  | {
      /** Which search does the rest. */
      readonly kind: "search-chosen";
      readonly iteration: number;
      readonly search: ChosenSearch;
    }
  | {
      readonly kind: "iteration-start";
      /** Counted from 1. */
      readonly iteration: number;
    }
  | {
      readonly kind: "iteration-end";
      readonly iteration: number;
      /** Candidates that this iteration added. */
      readonly accepted: readonly number[];
    }
  | {
      readonly kind: "candidate-evaluated";
      readonly iteration: number;
      /** Its id, or "proposed" for a candidate that may still be rejected. */
      readonly candidate: number | "proposed";
      readonly split: SplitName;
      /** The objective over the scored examples; `null` when none was scored. */
      readonly value: number | null;
      readonly scores: Readonly<Record<string, number | null>>;
      readonly coverage: number;
      /** Number of scores that were already known and cost no metric calls. */
      readonly reused: number;
    }
  | ({
      /**
       * A re-run disagreed with a reused score, but score reuse continues: scores vary from run
       * to run. The program, its metric or its LM is not deterministic.
       */
      readonly kind: "score-reuse-kept";
      readonly iteration: number;
    } & ScoreReuseDispute)
  | ({
      /**
       * A re-run disagreed, and varying scores do not, or may not, explain it: a text affects
       * scores of runs whose traces do not show it.
       */
      readonly kind: "score-reuse-ended";
      readonly iteration: number;
    } & ScoreReuseDispute)
  | {
      /** A failing rollout of train was run again with gold in place of one predictor's part. */
      readonly kind: "gold-replayed";
      readonly iteration: number;
      readonly candidate: number;
      readonly exampleId: string;
      readonly predictor: string;
      /** Scores without and with gold; `null` where the metric does not apply or a fault came. */
      readonly score: number | null;
      readonly scoreWithGold: number | null;
    }
  | {
      readonly kind: "proposal-skipped";
      readonly iteration: number;
      readonly parent: number;
      readonly reason: "all-perfect" | "not-invoked" | "low-coverage" | "nothing-left";
    }
  | {
      readonly kind: "candidate-proposed";
      readonly iteration: number;
      readonly parents: readonly number[];
      /** New texts by component. */
      readonly texts: Readonly<Record<string, string>>;
    }
  | ({ readonly kind: "candidate-refused" } & Rejection)
  | {
      readonly kind: "candidate-accepted";
      readonly iteration: number;
      readonly candidate: number;
      readonly parents: readonly number[];
      readonly value: number;
      /**
       * The whole record; of its components only those that differ from the first parent, or all
       * for the seed.
       */
      readonly record: CandidateRecord;
    }
  | {
      /**
       * A candidate was run on val examples on which it had no score, or a reused one; or its value
       * is an estimate that changed with its parent's.
       */
      readonly kind: "candidate-confirmed";
      readonly iteration: number;
      readonly candidate: number;
      /** Replaces the selection that it was accepted with. */
      readonly selection: Selection;
    }
  | {
      readonly kind: "budget-spent";
      readonly iteration: number;
      readonly metricCalls: number;
      readonly reflectionCalls: number;
      readonly lmCalls: number;
      readonly tokens: number;
    }
  | {
      readonly kind: "run-end";
      readonly reason: StopReason;
      /** Further explanation. */
      readonly detail?: string;
      readonly best: number;
      readonly value: number;
      /** Usage of the steps that count, by role, as if nothing were cached. */
      readonly used: UsageByRole;
    };

/** Progress of a run; not in the journal, since it depends on time. */
export interface OptimizerProgress {
  readonly kind: "progress";
  /** Metric calls so far, including the running step. */
  readonly metricCalls: number;
  /** The budget's cap; `null` when it has none. */
  readonly cap: number | null;
  /** `null` when there is no cap, or no data yet. */
  readonly etaMs: number | null;
  /** Best value so far; `null` until the seed is evaluated. */
  readonly best: number | null;
  /** Prompt and completion tokens so far, as if nothing were cached. */
  readonly tokens: number;
  /** US dollars billed so far; `null` without prices for all roles. */
  readonly costUsd: number | null;
}

/**
 * A reused score and the candidate's own score, `null` where the metric does not apply. Disputes
 * reveal LM noise only where requests differ, since an identical request is answered from the run's
 * recorded replies.
 */
export interface ScoreReuseDispute extends DisputedScores {
  readonly exampleId: string;
  /**
   * Scores of both candidates, run once more, or twice if the first repetition is inconclusive;
   * empty if that did not fit the budget or ended in a fault.
   */
  readonly repeated: readonly DisputedScores[];
}

export interface DisputedScores {
  /** Score of the candidate that was run first. */
  readonly reused: number | null;
  /** Score of the candidate that reuses it. */
  readonly again: number | null;
}

/** A dispute, when it arose and how it ended. */
export interface MetDispute extends ScoreReuseDispute {
  readonly kind: "score-reuse-kept" | "score-reuse-ended";
  readonly iteration: number;
}
