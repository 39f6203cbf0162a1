import { expect } from "vitest";
import type { OptimizerEvent } from "espalier/optimizer";

/** Where a run stands, as the doc of `OptimizerEvent` says, by the events so far. */
type RunState =
  | "not begun"
  /** The search has no candidate yet. */
  | "at the seed"
  | "between iterations"
  | "in an iteration"
  /** Rollouts have ended whose cost is not told yet. */
  | "evaluated the seed"
  | "evaluated between iterations"
  | "evaluated in an iteration"
  /** It decides what is known: only its end is left. */
  | "stopping"
  | "ended";

type Kind = OptimizerEvent["kind"];

/** In each state, the events that may come next, and the state after each of them. */
const eventOrder: Readonly<Record<RunState, { readonly [Next in Kind]?: RunState }>> = {
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
    "run-end": "ended",
  },
  "evaluated in an iteration": {
    "candidate-evaluated": "evaluated in an iteration",
    "budget-spent": "in an iteration",
  },
  stopping: {
    "candidate-accepted": "stopping",
    "candidate-confirmed": "stopping",
    "candidate-refused": "stopping",
    "budget-spent": "stopping",
    "run-end": "ended",
  },
  ended: {},
};

/** Expects the events of a run, whether or not it has ended, in an order that the table allows. */
export function expectOrder(events: readonly OptimizerEvent[]): void {
  let state: RunState = "not begun";
  for (const [index, { kind }] of events.entries()) {
    const next: RunState | undefined = eventOrder[state][kind];
    expect(next, `event ${index}, ${kind}, of a run that is ${state}`).toBeDefined();
    state = next ?? state;
  }
}
