import type { StepEvaluation } from "../../evaluation/index.ts";
import type { SearchState } from "../state/search-state.ts";
import { searchView } from "../state/search-view.ts";
import type { Tools } from "../state/tools.ts";
import type { GatedChild } from "./gate.ts";
import type { Race, Stopped } from "./race.ts";
import { race } from "./race.ts";

/** A child that was run on val, or on part of it. */
export interface ValidatedChild {
  readonly gated: GatedChild;
  /** Why its evaluation ended early; `null` if it was completed. */
  readonly stopped: Stopped | null;
  readonly onVal: () => StepEvaluation;
  /** Metric calls spent before it, as if children were evaluated one after the other. */
  readonly metricCallsBefore: number;
}

/** Evaluates children on val, side by side. */
export async function validate(
  gated: readonly GatedChild[],
  state: SearchState,
  tools: Tools,
): Promise<readonly ValidatedChild[]> {
  const { run, evidence } = tools;
  const view = searchView(state, tools);
  const spentBefore = run.spent.metricCalls;
  const races = gated.map(({ child }, place) => race(child, place, view, tools));
  for (let group = 0; races.some(({ next }) => next(group) !== undefined); group++) {
    const unfinished = races.filter(({ next }) => next(group) !== undefined);
    const running = whatFits(unfinished, group, tools);
    const evaluations = await evidence.evaluate(
      state.iteration,
      running.map(({ child: { components }, next }) => ({
        candidate: "proposed",
        components,
        split: "val",
        exampleIds: next(group) ?? [],
      })),
    );
    for (const [place, one] of running.entries()) one.take(evaluations[place] as StepEvaluation);
  }
  // One child may have reused the other's runs.
  const spentAfter = run.spent.metricCalls;
  let metricCallsBefore = spentBefore;
  return gated.map((one, place) => {
    const { stopped, evaluation, taken } = races[place] as Race;
    const before = metricCallsBefore;
    metricCallsBefore = Math.min(before + taken() * run.repetitions, spentAfter);
    return { gated: one, stopped: stopped(), onVal: evaluation, metricCallsBefore: before };
  });
}

/**
 * Drops the last races until the budget has room for the next groups of the others and for
 * everything that the first may still take, so that not all of them are lost halfway.
 */
function whatFits(races: readonly Race[], group: number, { run }: Tools): readonly Race[] {
  const [first, ...others] = races;
  if (first === undefined) return races;
  const running = [...others];
  const rollouts = (): number =>
    running.reduce((sum, { costOf }) => sum + costOf(group), first.costFrom(group));
  while (running.length > 0 && !run.fits({ rollouts: rollouts(), reflectionCalls: 0 })) {
    running.pop()?.drop();
  }
  return [first, ...running];
}
