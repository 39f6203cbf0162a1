import { sampleVariance } from "../../statistics/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

const resamples = 200;

/**
 * What the objective gains on val, a mean of scores or not. The deviation is that of a paired
 * bootstrap over clusters. Only examples on which both sides have a score count.
 */
export function objectiveGain(
  { clusterOf }: Pick<SearchSpace, "clusterOf">,
  run: Pick<OptimizerRun, "random" | "summarize">,
  { rollouts, over }: { readonly rollouts: readonly Rollout[]; readonly over: readonly Rollout[] },
): { readonly mean: number; readonly deviation: number } {
  const before = new Map(over.filter(isScored).map((one) => [one.exampleId, one]));
  const pairs = rollouts.filter(isScored).flatMap((after) => {
    const paired = before.get(after.exampleId);
    return paired === undefined ? [] : [{ before: paired, after }];
  });
  const clusters = [
    ...Map.groupBy(
      pairs,
      ({ after: { exampleId } }) => clusterOf?.(exampleId) ?? exampleId,
    ).values(),
  ];
  if (clusters.length < 2) return { mean: 0, deviation: Infinity };
  const gainOf = (drawn: typeof pairs): number => {
    const valueOf = (some: readonly Rollout[]): number => run.summarize("val", some).value ?? 0;
    return valueOf(drawn.map(({ after }) => after)) - valueOf(drawn.map((pair) => pair.before));
  };
  const random = run.random("objective-gain", 0);
  const gains = Array.from({ length: resamples }, () =>
    gainOf(clusters.flatMap(() => clusters[random.below(clusters.length)] ?? [])),
  );
  return { mean: gainOf(pairs), deviation: Math.sqrt(sampleVariance(gains)) };
}

function isScored({ score }: Rollout): boolean {
  return score.kind === "scored";
}
