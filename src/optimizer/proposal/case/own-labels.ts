import type { SearchSpace } from "../../task/search-space.ts";
import { plainText, textsIn } from "../text/plain-text.ts";

/** The texts in an example's labels that no other example of train has. */
export type OwnLabels = (exampleId: string) => readonly string[];

/** A label of several examples names a class, which an instruction may well teach. */
export function ownLabels({ train, labelsOf }: Pick<SearchSpace, "train" | "labelsOf">): OwnLabels {
  if (labelsOf === undefined) return () => [];
  const labels = (exampleId: string): ReadonlySet<string> =>
    new Set(textsIn(labelsOf(exampleId)).map(plainText));
  let holders: ReadonlyMap<string, number> | undefined;
  const counted = (): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const text of train.flatMap((id) => [...labels(id)])) {
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return counts;
  };
  const found = new Map<string, readonly string[]>();
  return (exampleId) => {
    const known = found.get(exampleId);
    if (known !== undefined) return known;
    const of = (holders ??= counted());
    const own = [...labels(exampleId)].filter((text) => text !== "" && of.get(text) === 1);
    found.set(exampleId, own);
    return own;
  };
}
