import type { Retriever } from "espalier";
import { EspalierError } from "espalier";

/** One index for everything, or one for each collection, by the collection's name. */
export type Searched = Retriever | Readonly<Record<string, Retriever>>;

/**
 * The index to search for a question about a collection.
 *
 * @throws EspalierError `input-invalid` if each collection has its own and the question names none
 */
export function indexFor(searched: Searched, collection: string | undefined): Retriever {
  if (isRetriever(searched)) return searched;
  const found = Object.hasOwn(searched, collection ?? "") ? searched[collection ?? ""] : undefined;
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "input-invalid",
    problem: "The question does not say which collection to search",
    expected: `the input \`collection\`: ${Object.keys(searched)
      .map((name) => `\`${name}\``)
      .join(", ")}`,
    got: collection === undefined ? "none" : `\`${collection}\``,
  });
}

function isRetriever(searched: Searched): searched is Retriever {
  return typeof searched["doRetrieve"] === "function";
}
