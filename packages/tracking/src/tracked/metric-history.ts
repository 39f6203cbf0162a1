import type { OptimizerEvent } from "../../../../src/optimizer/index.ts";
import type { TrackedMetric } from "./tracked-run.ts";

/**
 * How value, best value and spending went, by metric calls. It follows the events of a run alone,
 * so it is the same from its journal as while it runs, and after any number of resumptions.
 */
export interface MetricHistory {
  take(event: OptimizerEvent): void;
  /** Grows at its end alone. */
  readonly points: readonly TrackedMetric[];
}

export function metricHistory(): MetricHistory {
  const points: TrackedMetric[] = [];
  const known = new Set<string>();
  const values: number[] = [];
  let spent = { metricCalls: 0, reflectionCalls: 0, lmCalls: 0, tokens: 0 };
  const add = (name: string, value: number): void => {
    const step = spent.metricCalls;
    const point = `${name} ${step} ${value}`;
    if (known.has(point)) return;
    known.add(point);
    points.push({ name, value, step, order: points.length });
  };
  const addValue = (candidate: number, value: number): void => {
    values[candidate] = value;
    add("value", value);
    add(
      "best",
      values.reduce((most, each) => Math.max(most, each)),
    );
  };
  return {
    points,
    take: (event) => {
      if (event.kind === "budget-spent") {
        const { metricCalls, reflectionCalls, lmCalls, tokens } = event;
        spent = { metricCalls, reflectionCalls, lmCalls, tokens };
      }
      if (event.kind === "candidate-accepted") addValue(event.candidate, event.value);
      if (event.kind === "candidate-confirmed") addValue(event.candidate, event.selection.value);
      if (event.kind === "iteration-end" || event.kind === "run-end") {
        for (const [name, value] of Object.entries(spent)) add(`spent/${name}`, value);
      }
    },
  };
}
