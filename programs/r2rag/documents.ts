import type { Passage, RankedPassage, Text } from "espalier";
import { lineEscaper, oneLine } from "espalier";
import { firstWords } from "./words.ts";

/**
 * Documents as the LM reads them, numbered from `first`: number, title, address and date on the
 * first line, then the text. Escapes lines of a text that begin like a document, so that no text
 * can imitate the next document.
 */
export function documentsText(documents: readonly Passage[], first = 1): Text<"documents"> {
  return documents.map((document, index) => documentBlock(document, first + index)).join("\n\n");
}

export function documentBlock({ title = "", text, metadata }: Passage, number: number): string {
  const head = [title, metadata?.["url"], metadata?.["date"]]
    .map((part) => (typeof part === "string" ? oneLine(part) : ""))
    .filter((part) => part !== "")
    .join(" | ");
  const shown = escapedNumbers(text);
  return head === "" ? `[${number}] ${shown}` : `[${number}] ${head}\n${shown}`;
}

const escapedNumbers = lineEscaper(String.raw`\[\d`);

/**
 * The text of a document that the reranker reads: the page's address comes before the text, since
 * the reranker's question is about both (appendix A.3), and the text is cut to the given number of
 * words.
 */
export function pageOf({ id, title, text, metadata }: Passage, words: number): Passage {
  const url = metadata?.["url"];
  const address = typeof url === "string" && url !== "" ? `Web address: ${url}\n\n` : "";
  return {
    id,
    ...(title === undefined ? {} : { title }),
    text: `${address}${firstWords(text, words)}`,
  };
}

/**
 * The first documents that fit into the budget together, up to the first that does not. If not even
 * the first one fits, it is kept alone, cut to half as many words as the budget has units: with
 * about 1.3 tokens per English word, that also fits a budget of tokens.
 *
 * @param sizes of the documents, in the budget's unit: words or tokens
 */
export function documentsWithin(
  documents: readonly RankedPassage[],
  sizes: readonly number[],
  budget: number,
): readonly RankedPassage[] {
  let total = 0;
  const count = documents.findIndex((_, index) => {
    total += sizes[index] ?? 0;
    return total > budget;
  });
  const [first] = documents;
  if (count === -1) return documents;
  if (count > 0 || first === undefined) return documents.slice(0, count);
  return [{ ...first, text: firstWords(first.text, Math.floor(budget / 2)) }];
}
