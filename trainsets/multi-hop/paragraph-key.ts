import { createHash } from "node:crypto";
import type { Passage } from "espalier";
import { EspalierError } from "espalier";

/** Identifies a paragraph in a collection: title and text together, white space aside. */
export function paragraphKey({
  title = "",
  text,
}: {
  readonly title?: string;
  readonly text: string;
}): string {
  return `${oneSpace(title)}\n${oneSpace(text)}`;
}

function oneSpace(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** The passage that a paragraph is in a collection made of the questions' own paragraphs. */
export function passageOf(paragraph: { readonly title: string; readonly text: string }): Passage {
  const id = createHash("sha256").update(paragraphKey(paragraph)).digest("hex").slice(0, 16);
  return { id, title: paragraph.title, text: paragraph.text };
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
  throw unknownParagraph(found.title, question);
}

export function unknownParagraph(title: string, question: string): EspalierError {
  return new EspalierError({
    code: "passage-unknown",
    problem: `A supporting paragraph of question "${question}" is not in the collection`,
    got: `"${title}"`,
    fix: "Load the collection that belongs to the set",
  });
}
