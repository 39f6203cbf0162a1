import type { RelevantGrades } from "../formula/ranked-ids.ts";

/** Whether a response could rest on a relevant passage. */
export type Evidence = "there" | "missed";

/** `undefined` where no passage is known to be relevant. One relevant passage is evidence. */
export function evidenceAmong(
  shown: readonly { readonly id: string }[],
  relevant: RelevantGrades | undefined,
): Evidence | undefined {
  const wanted = Object.entries(relevant ?? {}).flatMap(([id, grade]) => (grade > 0 ? [id] : []));
  if (wanted.length === 0) return undefined;
  return shown.some(({ id }) => wanted.includes(id)) ? "there" : "missed";
}
