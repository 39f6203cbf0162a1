import type { Example, Score, Scored } from "../contract/index.ts";
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

/**
 * Combines an example's repetitions into its row. One unscored run makes the row unscored: a mean
 * over fewer repetitions than elsewhere would not be comparable. Runs to which the metric does not
 * apply are excluded; if it applies to none, the row is not applicable.
 */
function combineRuns<TOutput>(
  example: Example,
  runs: readonly RunRecord<TOutput>[],
): EvaluationRow<TOutput> {
  const { id: exampleId, cluster = exampleId } = example;
  const deciding = decidingRun(runs);
  if (runs.length === 1) return Object.freeze({ exampleId, cluster, ...deciding });
  return Object.freeze({
    exampleId,
    cluster,
    ...deciding,
    score: meanScore(deciding.score, runs),
    runs: Object.freeze([...runs]),
  });
}

/** An unscored run, else the lowest of the scored ones, the first on a tie. */
function decidingRun<TOutput>(runs: readonly RunRecord<TOutput>[]): RunRecord<TOutput> {
  return runs.reduce((lowest, run) => (rank(run.score) < rank(lowest.score) ? run : lowest));
}

function rank(score: Score): number {
  if (score.kind === "unscored") return -Infinity;
  return score.kind === "scored" ? score.value : Infinity;
}

function meanScore(deciding: Score, runs: readonly RunRecord[]): Score {
  if (deciding.kind !== "scored") return deciding;
  const scores = runs.map(({ score }) => score).filter((score) => score.kind === "scored");
  return Object.freeze({
    ...deciding,
    value: scores.reduce((sum, { value }) => sum + value, 0) / scores.length,
    // Over all runs: an objective may not have applied to the lowest one.
    ...(scores.some(({ objectives }) => objectives !== undefined)
      ? { objectives: meanObjectives(scores) }
      : {}),
  });
}

/** Mean of each objective over the scores that report it. */
export function meanObjectives(scores: readonly Scored[]): Readonly<Record<string, number>> {
  const sums = new Map<string, { readonly sum: number; readonly count: number }>();
  for (const { objectives = {} } of scores) {
    for (const [name, value] of Object.entries(objectives)) {
      const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 };
      sums.set(name, { sum: sum + value, count: count + 1 });
    }
  }
  return Object.freeze(
    Object.fromEntries([...sums].map(([name, { sum, count }]) => [name, sum / count])),
  );
}
