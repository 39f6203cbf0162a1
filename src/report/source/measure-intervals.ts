import { randomSource } from "../../internal/index.ts";
import type { CandidateRecord } from "../../optimizer/index.ts";
import type { ClusterSums, Interval } from "../../statistics/index.ts";
import { mean, ratioBootstrap } from "../../statistics/index.ts";
import type { ExampleTable } from "./example-table.ts";

/** Few, since a run may have hundreds of candidates: a contrast takes more. */
const resamples = 1_000;

/**
 * Intervals of the candidates' quality and further objectives on val. `null` where the value is no
 * mean of the scores: an estimate, or a metric's own aggregate.
 */
export function measureIntervals(
  candidates: readonly CandidateRecord[],
  { examples, placeOf }: ExampleTable,
): { of(candidate: number, measure: string): Interval | null } {
  const clusters = new Map<string, number>();
  const clusterOf = (id: string): number => {
    const { cluster = id } = examples[placeOf(id)] ?? {};
    const held = clusters.get(cluster);
    if (held !== undefined) return held;
    clusters.set(cluster, clusters.size);
    return clusters.size - 1;
  };
  const wanted = candidates.flatMap(({ id, selection }) => {
    const { value, seen, scores, objectives = {}, objectiveScores = {} } = selection;
    const quality = Object.entries(scores);
    const measures = [
      ...(seen === undefined ? [{ name: "quality", value, cells: quality }] : []),
      ...Object.entries(objectives).map(([name, value]) => ({
        name,
        value,
        cells: Object.entries(objectiveScores).map(([example, of]): [string, number | null] => [
          example,
          of[name] ?? null,
        ]),
      })),
    ];
    return measures.flatMap(({ name, value: stated, cells }) => {
      const scored = cells.flatMap(([example, score]) =>
        score === null ? [] : [{ cluster: clusterOf(example), score }],
      );
      const found = mean(scored.map(({ score }) => score));
      return Math.abs(found - stated) < 1e-9 ? [{ key: `${id} ${name}`, scored }] : [];
    });
  });
  const intervals = ratioBootstrap({
    clusterCount: clusters.size,
    means: wanted.map(({ scored }): ClusterSums => {
      const [sums, counts] = [new Float64Array(clusters.size), new Float64Array(clusters.size)];
      for (const { cluster, score } of scored) {
        sums[cluster] = (sums[cluster] ?? 0) + score;
        counts[cluster] = (counts[cluster] ?? 0) + 1;
      }
      return { sums, counts };
    }),
    resamples,
    random: randomSource(0, "report/measures"),
  });
  const byKey = new Map(wanted.map(({ key }, place) => [key, intervals[place] ?? null]));
  return { of: (candidate, measure) => byKey.get(`${candidate} ${measure}`) ?? null };
}
