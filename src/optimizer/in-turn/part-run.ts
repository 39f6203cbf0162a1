import { budgetStop } from "../budget/index.ts";
import type { Budget } from "../budget/index.ts";
import type { OptimizerRun, StepNeed } from "../contract/optimizer.ts";
import type { Numbering } from "./numbering.ts";
import type { PaidRollouts } from "./paid-rollouts.ts";

/** Caps of one part of a run. */
export type PartCaps = Pick<Budget, "metricCalls" | "reflectionCalls">;

/**
 * A run as one of its parts sees it: its own caps within the run's, its own random draws, its own
 * numbers.
 */
export function partRun(
  run: OptimizerRun,
  {
    place,
    numbers,
    paid,
    caps,
  }: {
    readonly place: number;
    readonly numbers: Numbering;
    readonly paid: PaidRollouts;
    readonly caps: PartCaps;
  },
): OptimizerRun {
  const { metricCalls = Infinity, reflectionCalls = Infinity } = caps;
  const start = run.spent;
  const roomFor = {
    metricCalls: () => metricCalls - (run.spent.metricCalls - start.metricCalls),
    reflectionCalls: () => reflectionCalls - (run.spent.reflectionCalls - start.reflectionCalls),
  };
  const check = (cap: keyof typeof roomFor, more: number): void => {
    if (more > roomFor[cap]()) throw budgetStop(cap, caps[cap] ?? 0, run.spent[cap] - start[cap]);
  };
  const fits = ({ rollouts, reflectionCalls: texts }: StepNeed): boolean =>
    rollouts * run.repetitions <= roomFor.metricCalls() && texts <= roomFor.reflectionCalls();
  const earlier = [...paid.ofTrain];
  return {
    seed: run.seed,
    hasTeacher: run.hasTeacher,
    repetitions: run.repetitions,
    random: (stream, index) => run.random(place === 0 ? stream : `${place}/${stream}`, index),
    fits: (need) => fits(need) && run.fits(need),
    rolloutsLeft: (texts) => {
      if (texts > roomFor.reflectionCalls()) return 0;
      const own = Math.floor(roomFor.metricCalls() / run.repetitions);
      return Math.max(0, Math.min(own, run.rolloutsLeft(texts)));
    },
    rolloutsExpected: () => {
      const own = Math.floor(roomFor.metricCalls() / run.repetitions);
      return Math.max(0, Math.min(own, run.rolloutsExpected()));
    },
    get spent() {
      return run.spent;
    },
    ...(earlier.length > 0 && { paid: earlier }),
    observe: (look) => run.observe(look),
    stopAsked: () => run.stopAsked(),
    evaluate: async (requests) => {
      check("metricCalls", paid.missing(requests) * run.repetitions);
      return paid.evaluate(requests);
    },
    ...(run.evaluateRecorded && {
      evaluateRecorded: (requests) => run.evaluateRecorded?.(requests) ?? Promise.resolve([]),
    }),
    summarize: (split, rollouts) => run.summarize(split, rollouts),
    ask: async (predictor, calls) => {
      check("reflectionCalls", calls.length);
      return run.ask(predictor, calls);
    },
    consult: async (count, propose) => {
      check("reflectionCalls", count);
      return run.consult(count, propose);
    },
    emit: (event) => numbers.emit(event),
    checkpoint: () => run.checkpoint(),
  };
}
