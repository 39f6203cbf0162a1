import type { Passage, Retriever } from "espalier";
import { randomSource } from "espalier";
import type { Corpus } from "espalier/retrieval";

/** The subject of documents, identified by their title. */
export interface Entity {
  readonly title: string;
  /** Its name in running text: the title without a qualifier such as `(film)`. */
  readonly name: string;
}

/** Draws up to `count` titles of the corpus, in random order. */
export function sampleEntities(
  { passages }: Corpus,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Entity[] {
  const titles = new Set(passages.map(({ title = "" }) => title).filter((title) => title !== ""));
  return randomSource(seed, "entities")
    .sample([...titles], count)
    .map((title) => ({ title, name: title.replace(/\s*\([^()]*\)$/, "") }));
}

/**
 * At most `most` documents of an entity: those with its title, then those that BM25 finds by its
 * name and that mention it.
 */
export async function documentsOf(
  { title, name }: Entity,
  {
    corpus: { passages },
    retriever,
    most,
  }: { readonly corpus: Corpus; readonly retriever: Retriever; readonly most: number },
): Promise<readonly Passage[]> {
  const own = passages.filter((passage) => passage.title === title && passage.text.trim() !== "");
  const found = await retriever.doRetrieve({ query: name, k: 5 * most }, {});
  const naming = found.filter((passage) => passage.title !== title && passage.text.includes(name));
  return [...own, ...naming].slice(0, most);
}
