import type { JsonObject, SplitName } from "../../contract/index.ts";
import type { UsageByRole } from "../budget/index.ts";
import type { CandidateRecord, Rejection, Selection } from "../candidate/candidate-record.ts";

/** Why a run ended. */
export type StopReason =
  /** The next step does not fit the budget; the outcome's detail names the cap. */
  | "budget"
  /** All that the search was to try has been tried. */
  | "all-tried"
  /** A candidate is perfect on every example that selects. */
  | "perfect"
  /** A stopper said so; the outcome's detail names it. */
  | "stopper"
  /** Iteration after iteration ended before a new text was tried. */
  | "nothing-new"
  /** The reflection LM failed time after time. */
  | "reflection-failing";

/**
 * A score that was inherited and the candidate's own, `null` where the metric does not apply. Of
 * the LM they tell only where requests differ: an identical one is answered from the run's replies.
 */
export interface InheritanceDispute extends DisputedScores {
  readonly exampleId: string;
  /**
   * Of both candidates, run once more, or twice where the first repetition leaves it open; none
   * where that did not fit the budget or ended in a fault.
   */
  readonly repeated: readonly DisputedScores[];
}

export interface DisputedScores {
  /** Of the candidate that was run first. */
  readonly inherited: number | null;
  /** Of the one that inherits. */
  readonly again: number | null;
}

/** A dispute, when it was met and what came of it. */
export interface MetDispute extends InheritanceDispute {
  readonly kind: "inheritance-kept" | "inheritance-ended";
  readonly iteration: number;
}

/**
 * What an optimizer decided, in this order. `run-start`, `iteration-end` and `run-end` are in the
 * journal before a listener sees them, with all that came before; the others wait for the next of
 * these, or for the event loop to turn.
 *
 * 1. `run-start`
 * 2. for the seed: `candidate-evaluated` on val, `budget-spent`, `candidate-accepted`
 * 3. for each iteration `iteration-start`, then what is done, then `iteration-end`. Done is:
 *    - each evaluation: `candidate-evaluated` for every candidate that is evaluated side by side,
 *      one `budget-spent`; where a re-run disagreed with what was inherited, a `budget-spent` for
 *      each time that both are run once more, and `inheritance-kept` or `inheritance-ended`;
 *    - in an iteration of a merge: `candidate-proposed`, an evaluation on part of val, and then
 *      `candidate-refused`, or an evaluation on val and `candidate-accepted`;
 *    - in an iteration of a search over parameters: `candidate-proposed`, an evaluation on val, and
 *      `candidate-refused` or `candidate-accepted`;
 *    - in an iteration of reflection: evaluations of parents on train; `proposal-skipped` for each
 *      proposal that learns nothing; `budget-spent` for the texts that are written;
 *      `candidate-refused` for each that no rollout is spent on, `candidate-proposed` for the
 *      others; evaluations of these on train, where they must show first that they are better;
 *      `candidate-refused` for those that are not; evaluations on val; then for each, in order, an
 *      evaluation on train where val did not decide, and `candidate-refused` or
 *      `candidate-accepted`;
 *    - last in an iteration in which inheritance ended: an evaluation of the best candidate on val,
 *      where it had inherited, and `candidate-confirmed`; and again where another one is the best
 *      by then
 * 4. `run-end`
 *
 * A budget that ends within a step ends the run there, without `iteration-end`.
 */
export type OptimizerEvent =
  | {
      readonly kind: "run-start";
      readonly format: "espalier-journal/2";
      /** All that the trajectory depends on; a resumed run must match it. */
      readonly run: JsonObject;
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
      /** Id, or "proposed" for one that may yet be refused. */
      readonly candidate: number | "proposed";
      readonly split: SplitName;
      /** The objective over the scored examples; `null` when none was scored. */
      readonly value: number | null;
      readonly scores: Readonly<Record<string, number | null>>;
      readonly coverage: number;
      /** How many of the scores were known already, and no metric calls. */
      readonly inherited: number;
    }
  | ({
      /**
       * A re-run disagreed with what was inherited, and inheritance goes on: scores vary from run
       * to run. The program, its metric or its LM is not deterministic.
       */
      readonly kind: "inheritance-kept";
      readonly iteration: number;
    } & InheritanceDispute)
  | ({
      /**
       * A re-run disagreed, and it is not, or may not be, that scores vary: a text has a part in
       * scores of runs whose traces do not know of it.
       */
      readonly kind: "inheritance-ended";
      readonly iteration: number;
    } & InheritanceDispute)
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
      /** All of it; of its components those that its first parent has not, all of the seed's. */
      readonly record: CandidateRecord;
    }
  | {
      /** A candidate that was run on what it had inherited, after inheritance was found wrong. */
      readonly kind: "candidate-confirmed";
      readonly iteration: number;
      readonly candidate: number;
      /** In place of the one that it was accepted with. */
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
      /** What more there is to say of it. */
      readonly detail?: string;
      readonly best: number;
      readonly value: number;
      /** Calls of the steps that stand, by role, as if nothing were cached. */
      readonly used: UsageByRole;
    };

/** How far a run is; not in the journal, since it depends on time. */
export interface OptimizerProgress {
  readonly kind: "progress";
  /** Metric calls so far, those of the running step included. */
  readonly metricCalls: number;
  /** The budget's cap; `null` when it has none. */
  readonly cap: number | null;
  /** `null` when there is no cap, or nothing to go by yet. */
  readonly etaMs: number | null;
  /** Best value so far; `null` before the seed is evaluated. */
  readonly best: number | null;
}
