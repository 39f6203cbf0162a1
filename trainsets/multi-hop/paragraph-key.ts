import { EspalierError } from "espalier";

/**
 * How a paragraph is found in the collection: by title and text together, white space around them
 * aside.
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
 * @throws EspalierError `passage-unknown` when it is not there
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
