import type { Evaluation } from "./evaluation.ts";

/**
 * The score of each example, by id, in the order of the rows; `null` where the metric does not
 * apply or a fault remained.
 */
export function scoresByExample({
  rows,
}: Pick<Evaluation, "rows">): ReadonlyMap<string, number | null> {
  return new Map(
    rows.map(({ exampleId, score }) => [exampleId, score.kind === "scored" ? score.value : null]),
  );
}
