import type { OptimizerEvent } from "./optimizer-event.ts";

/** Where a run stands, by its events so far. */
export type SearchPhase =
  | "not begun"
  /** The search has no candidate yet. */
  | "at the seed"
  | "between iterations"
  | "in an iteration"
  /** Rollouts have ended whose cost is not told yet. */
  | "evaluated the seed"
  | "evaluated between iterations"
  | "evaluated in an iteration"
  | "ended";

/**
 * The order of a run's events: in each state, those that may come next, and the state after each of
 * them. Runs are not checked against it; the tests of all searches are.
 *
 * An evaluation is a `candidate-evaluated` for every candidate evaluated side by side, then one
 * `budget-spent`; texts that were written are a `budget-spent` alone. A budget that runs out within
 * a step ends the search there, without `iteration-end`; so does a stop in `decisionFit()`. In
 * `inTurn()` the next search then goes on with its seed.
 */
export const eventOrder: Readonly<
  Record<SearchPhase, { readonly [Next in OptimizerEvent["kind"]]?: SearchPhase }>
> = {
  "not begun": { "run-start": "at the seed" },
  "at the seed": {
    "search-chosen": "at the seed",
    "candidate-evaluated": "evaluated the seed",
    "score-reuse-kept": "at the seed",
    "score-reuse-ended": "at the seed",
    "budget-spent": "at the seed",
    "candidate-accepted": "between iterations",
    "run-end": "ended",
  },
  "evaluated the seed": {
    "candidate-evaluated": "evaluated the seed",
    "budget-spent": "at the seed",
  },
  "between iterations": {
    "search-chosen": "between iterations",
    "iteration-start": "in an iteration",
    "candidate-evaluated": "evaluated between iterations",
    "budget-spent": "between iterations",
    "candidate-confirmed": "between iterations",
    "candidate-refused": "between iterations",
    "run-end": "ended",
  },
  "evaluated between iterations": {
    "candidate-evaluated": "evaluated between iterations",
    "budget-spent": "between iterations",
  },
  "in an iteration": {
    "budget-spent": "in an iteration",
    "candidate-evaluated": "evaluated in an iteration",
    "score-reuse-kept": "in an iteration",
    "score-reuse-ended": "in an iteration",
    "gold-replayed": "in an iteration",
    "proposal-skipped": "in an iteration",
    "candidate-proposed": "in an iteration",
    "candidate-refused": "in an iteration",
    "candidate-accepted": "in an iteration",
    "candidate-confirmed": "in an iteration",
    "iteration-end": "between iterations",
    "search-chosen": "between iterations",
    // A cap cut a part of `inTurn()` short, and the next part begins.
    "iteration-start": "in an iteration",
    "run-end": "ended",
  },
  "evaluated in an iteration": {
    "candidate-evaluated": "evaluated in an iteration",
    "budget-spent": "in an iteration",
  },
  ended: {},
};
