import type { Candidate } from "../../contract/index.ts";
import { mayShow } from "../../contract/index.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { PredictorDemonstration } from "./demonstrations-of.ts";

/** A scored run and the demonstrations that its prompts showed. */
export interface ShownRun {
  readonly exampleId: string;
  readonly score: number;
  readonly shown: readonly PredictorDemonstration[];
}

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

/** What a candidate shows at every call: not what its calls choose, since no run says which. */
export function fixedDemonstrations(candidate: Candidate): readonly PredictorDemonstration[] {
  return candidate.flatMap((component) =>
    component.kind === "demos" && component.nearest === undefined
      ? component.value.map((demonstration) => ({ predictor: component.path, demonstration }))
      : [],
  );
}
