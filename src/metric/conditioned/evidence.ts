import type { RelevantGrades } from "../formula/ranked-ids.ts";

/** Whether a response had a relevant passage. */
export type Evidence = "there" | "missed";

/** One relevant passage is evidence. `undefined` if no passage is known to be relevant. */
export function evidenceAmong(
  shown: readonly { readonly id: string }[],
  relevant: RelevantGrades | undefined,
): Evidence | undefined {
  const wanted = Object.entries(relevant ?? {}).flatMap(([id, grade]) => (grade > 0 ? [id] : []));
  if (wanted.length === 0) return undefined;
  return shown.some(({ id }) => wanted.includes(id)) ? "there" : "missed";
}
