import { expect } from "vitest";
import type { OptimizerEvent } from "espalier/optimizer";
import { expectOrder } from "../../support/event-order.ts";

/**
 * s run-start, S search-chosen, i iteration-start, I iteration-end, e and v
 * candidate-evaluated on train and val, b budget-spent, c score-reuse-kept, d score-reuse-ended, g
 * gold-replayed, f candidate-confirmed, k skipped, p proposed, r refused, a accepted, x run-end.
 */
const letters: Readonly<Record<OptimizerEvent["kind"], string>> = {
  "run-start": "s",
  "search-chosen": "S",
  "iteration-start": "i",
  "iteration-end": "I",
  "candidate-evaluated": "",
  "score-reuse-kept": "c",
  "score-reuse-ended": "d",
  "gold-replayed": "g",
  "proposal-skipped": "k",
  "candidate-proposed": "p",
  "candidate-refused": "r",
  "candidate-accepted": "a",
  "candidate-confirmed": "f",
  "budget-spent": "b",
  "run-end": "x",
};

export function lettersOf(events: readonly OptimizerEvent[]): string {
  return events
    .map((event) =>
      event.kind === "candidate-evaluated"
        ? event.split === "val"
          ? "v"
          : "e"
        : letters[event.kind],
    )
    .join("");
}

const [onTrain, onVal] = [
  "(?:e+b(?:b{0,2}c)*(?:b{0,2}d)?(?:g+b)?)",
  "(?:v+b(?:b{0,2}c)*(?:b{0,2}d)?)",
];
/** What the doc of `OptimizerEvent` says, for a reflection and for a merge, as a pattern. */
const reflection = `${onTrain}*k*(?:b+[rp]*${onTrain}*r*${onVal}*f*(?:${onTrain}{0,2}[ra])*)?`;
const merge = `p(?:r|${onVal}(?:r|${onVal}[ra]))`;
const whole = new RegExp(`^s${onVal}a(?:i(?:${merge}|${reflection})(?:vbf+)*I)*`);

/** What a cap may leave of the last iteration. */
export const ending = /^(?:i[^iIs]*)?(?:vbf*)*x$/;

/** The rest after the last whole iteration. */
export function restOf(events: readonly OptimizerEvent[]): string {
  expectOrder(events);
  const told = lettersOf(events);
  const matched = whole.exec(told)?.[0];
  expect(matched).toBeDefined();
  return told.slice(matched?.length);
}

export function expectNumbers(events: readonly OptimizerEvent[]): void {
  const numbersOf = (kind: "iteration-start" | "iteration-end"): readonly number[] =>
    events.flatMap((event) => (event.kind === kind ? [event.iteration] : []));
  const started = numbersOf("iteration-start");
  expect(started.length).toBeGreaterThan(0);
  expect(started).toEqual(started.map((_, index) => index + 1));
  const ended = numbersOf("iteration-end");
  expect(ended).toEqual(started.slice(0, ended.length));
  expect(started.length - ended.length).toBeLessThanOrEqual(1);
  const accepted = events.flatMap((event) =>
    event.kind === "candidate-accepted" ? [event.candidate] : [],
  );
  expect(accepted).toEqual(accepted.map((_, index) => index));
  let current = 0;
  for (const event of events) {
    if (event.kind === "iteration-start") current = event.iteration;
    const { iteration = current } = event as { readonly iteration?: number };
    expect(iteration).toBe(current);
  }
}

export function lastSpent(events: readonly OptimizerEvent[]): object {
  const last = events.findLast(({ kind }) => kind === "budget-spent");
  const {
    kind: _kind,
    iteration: _iteration,
    ...spent
  } = last as OptimizerEvent &
    object & {
      iteration: number;
    };
  return spent;
}

/**
 * Each sum is the one before plus what was evaluated or asked; the two runs of a dispute's
 * repetition are told by the dispute itself.
 */
export function expectLedger(events: readonly OptimizerEvent[]): void {
  let before = { metricCalls: 0, reflectionCalls: 0, lmCalls: 0, tokens: 0 };
  let run = 0;
  let repetitions = 0;
  for (const event of events) {
    if (event.kind === "score-reuse-kept" || event.kind === "score-reuse-ended") {
      expect(event.repeated).toHaveLength(repetitions);
      repetitions = 0;
    }
    if (event.kind === "candidate-evaluated") {
      run += Object.keys(event.scores).length - event.reused;
    }
    if (event.kind !== "budget-spent") {
      expect(repetitions).toBe(0);
      continue;
    }
    const texts = event.reflectionCalls - before.reflectionCalls;
    const metricCalls = event.metricCalls - before.metricCalls;
    const isRepetition = run === 0 && metricCalls > 0;
    if (isRepetition) repetitions++;
    expect(metricCalls).toBe(isRepetition ? 2 : run);
    // An evaluation or texts, never both at once.
    expect(metricCalls === 0 || texts === 0).toBe(true);
    for (const unit of ["reflectionCalls", "lmCalls", "tokens"] as const) {
      expect(event[unit]).toBeGreaterThanOrEqual(before[unit]);
    }
    before = event;
    run = 0;
  }
  expect([run, repetitions]).toEqual([0, 0]);
}
