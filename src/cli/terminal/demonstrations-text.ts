import type { NearestDemonstrations } from "../../contract/index.ts";

/** The line that tells of a predictor's demonstrations; none if it has none. */
export function demonstrationsText(
  count: number,
  nearest: NearestDemonstrations | null | undefined,
): readonly string[] {
  if (count === 0) return [];
  if (!nearest) return [`  ${count} demonstrations`];
  const { k, by } = nearest;
  const measure = by === "words" ? by : `the vectors of ${by.embedder.model}`;
  return [`  ${count} demonstrations, of which prompts show the ${k} nearest by ${measure}`];
}
