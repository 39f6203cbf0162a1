import type { Evaluation, EvaluationRow } from "../../evaluate/index.ts";
import type { ReplayedRollout } from "../data/replayed-rollout.ts";

/**
 * The runs that an evaluation holds, with outputs, feedback and traces as they were: nothing
 * is run again. Examples that it does not have are left out.
 */
export function resultRollouts(
  { rows }: Pick<Evaluation, "rows">,
  {
    source,
    exampleIds,
    placeOf,
  }: {
    /** Key of the source in the comparison. */
    readonly source: string;
    readonly exampleIds: readonly string[];
    /** The example's place in the comparison. */
    readonly placeOf: (exampleId: string) => number;
  },
): readonly ReplayedRollout[] {
  const wanted = new Set(exampleIds);
  return rows
    .filter(({ exampleId }) => wanted.has(exampleId))
    .map((row) => ({ source, candidate: 0, example: placeOf(row.exampleId), ...rolloutOf(row) }));
}

/** A row of an evaluation without its names. */
export function rolloutOf({
  score,
  failure,
  trace,
  runs,
}: EvaluationRow): Omit<ReplayedRollout, "source" | "candidate" | "example"> {
  const { output } = trace;
  const about = {
    ...(runs && { runs: runs.length }),
    ...(failure && { failure }),
    ...(output !== undefined && { output }),
    trace,
  };
  if (score.kind !== "scored") return { ...about, score: score.kind };
  const { value, feedback, blame } = score;
  return {
    ...about,
    score: score.kind,
    value,
    ...(feedback !== undefined && { feedback }),
    ...(blame && { blame }),
  };
}
