import type { Candidate, Component, Demonstration } from "../../contract/index.ts";
import { bestOf } from "../candidate/candidate-measures.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { sampleVariance } from "../../statistics/index.ts";

/**
 * Standard errors on val by which demonstrations must bring something to stay; one example alone is
 * about one. Where a dozen sets bring nothing, the best is as far ahead in a quarter of searches;
 * at twice as much, searches of real gains lose more than prompts get shorter.
 */
const least = 1.2;

/**
 * The best candidate, if val supports its demonstrations: else the best of those that show none but
 * the program's own. Fewer than two clusters support nothing.
 */
export function bestSupported(
  space: SearchSpace,
  run: OptimizerRun,
  { candidates, rolloutsOf }: Pick<SearchLog, "candidates" | "rolloutsOf">,
): CandidateRecord {
  const best = bestOf(candidates) as CandidateRecord;
  const bare = bestOf(
    candidates.filter(({ components }) => showsNoOthers(components, space.components)),
  ) as CandidateRecord;
  if (bare === best) return best;
  const [rollouts, over] = [rolloutsOf(best.components), rolloutsOf(bare.components)];
  const { mean, deviation } = objectiveGain(space, run, { rollouts, over });
  return mean > least * deviation ? best : bare;
}

function showsNoOthers(components: Candidate, own: Candidate): boolean {
  return components.every((component, index) => {
    const shown = new Set(demonstrationsIn(own[index]));
    return demonstrationsIn(component).every((one) => shown.has(one));
  });
}

function demonstrationsIn(component: Component | undefined): readonly Demonstration[] {
  return component?.kind === "demos" ? component.value : [];
}

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
