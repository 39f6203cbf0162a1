import type { Example } from "../contract/index.ts";
import { combineRuns } from "./combine-runs.ts";
import type { RunRecord } from "../runner/index.ts";
import type { EvaluationRow } from "./evaluation.ts";

/** Collects runs in any order into rows in the order of the examples. */
export interface RowCollector<TOutput> {
  /** Adds one run; returns the example's row once all its repetitions are present. */
  add(index: number, repetition: number, run: RunRecord<TOutput>): EvaluationRow<TOutput> | null;
  /** Number of finished rows. */
  count(): number;
  /** Finished rows. */
  rows(): readonly EvaluationRow<TOutput>[];
}

export function rowCollector<TOutput>(
  examples: readonly Example[],
  repetitions: number,
): RowCollector<TOutput> {
  const places = examples.map((example) => ({
    example,
    runs: new Map<number, RunRecord<TOutput>>(),
  }));
  const finished = new Map<number, EvaluationRow<TOutput>>();
  return {
    add(index, repetition, run) {
      const place = places[index];
      if (place === undefined) throw new RangeError(`There is no example ${index}.`);
      if (place.runs.set(repetition, run).size < repetitions) return null;
      const inOrder = [...place.runs].toSorted(([left], [right]) => left - right);
      const row = combineRuns(
        place.example,
        inOrder.map(([, held]) => held),
      );
      finished.set(index, row);
      return row;
    },
    count: () => finished.size,
    rows: () => [...finished].toSorted(([left], [right]) => left - right).map(([, row]) => row),
  };
}
