import { EspalierError } from "espalier";

/**
 * Identifies a paragraph in the collection: title and text together, ignoring surrounding white
 * space.
 */
export function paragraphKey({
  title = "",
  text,
}: {
  readonly title?: string;
  readonly text: string;
}): string {
  return `${title.trim()}\n${text.trim()}`;
}

/**
 * The id of a supporting paragraph in the collection.
 *
 * @throws EspalierError `passage-unknown` if it is missing
 */
export function paragraphId(
  found: { readonly title: string; readonly text: string },
  ids: ReadonlyMap<string, string>,
  question: string,
): string {
  const id = ids.get(paragraphKey(found));
  if (id !== undefined) return id;
  throw new EspalierError({
    code: "passage-unknown",
    problem: `A supporting paragraph of question "${question}" is not in the collection`,
    got: `"${found.title}"`,
    fix: "Load the collection that belongs to the set",
  });
}
