import type { Candidate } from "../../contract/index.ts";
import { mayShow } from "../../contract/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { ShownRun } from "./credit.ts";
import type { PredictorDemonstration } from "./demonstrations-of.ts";

/**
 * The scored runs of a candidate with what each of them showed of its demonstrations: none of the
 * example itself, nor of its cluster.
 */
export function shownRuns(
  rollouts: readonly Rollout[],
  demonstrations: readonly PredictorDemonstration[],
  { clusterOf }: Pick<SearchSpace, "clusterOf">,
): readonly ShownRun[] {
  return rollouts.flatMap(({ exampleId, score }) => {
    if (score.kind !== "scored") return [];
    const example = { exampleId, cluster: clusterOf?.(exampleId) };
    const shown = demonstrations.filter(({ demonstration }) => mayShow(demonstration, example));
    return [{ exampleId, score: score.value, shown }];
  });
}

/** What a candidate has to show; `null` if its calls choose among it, since no run says which. */
export function demonstrationsIn(candidate: Candidate): readonly PredictorDemonstration[] | null {
  const components = candidate.filter((component) => component.kind === "demos");
  if (components.some(({ nearest }) => nearest !== undefined)) return null;
  return components.flatMap(({ path: predictor, value }) =>
    value.map((demonstration) => ({ predictor, demonstration })),
  );
}
