import type { SplitName } from "../../contract/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import type { ArtifactScore } from "../file/artifact.ts";

/** The part of an evaluation that an artifact keeps: the figures, without rows and times. */
export function artifactScore(evaluation: Evaluation, split: SplitName): ArtifactScore {
  const { metric, value, interval, objective, objectives, counts, coverage, rows } = evaluation;
  const { seed, repetitions } = evaluation;
  const clusters = new Set(rows.map(({ cluster }) => cluster)).size;
  return {
    split,
    metric,
    value,
    interval,
    objective,
    objectives,
    counts,
    coverage,
    clusters,
    seed,
    repetitions,
  };
}
