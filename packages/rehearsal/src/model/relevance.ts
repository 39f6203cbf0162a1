import type { TextReader } from "../text/index.ts";

/**
 * Relevance of each document to a query, in (0, 1): BM25's term weighting over the documents sent
 * (Robertson and Zaragoza 2009, k1 1.2, b .75), relative to the highest possible score; function
 * words count little.
 */
export function relevance(
  query: string,
  documents: readonly string[],
  reader: TextReader,
): readonly number[] {
  const wanted = new Map(
    reader.words(query).map(({ stem, kind }) => [stem, kind === "content" ? 1 : 0.1] as const),
  );
  const counted = documents.map((document) => termCounts(document, reader));
  const meanLength =
    counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const weights = [...wanted].map(([stem, share]) => {
    const holders = counted.filter(({ counts }) => counts.has(stem)).length;
    // With so few documents, rarity means nothing.
    const rarity =
      documents.length < 3 ? 1 : Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    return { stem, weight: share * rarity };
  });
  const most = weights.reduce((sum, { weight }) => sum + weight, 0) * (saturation + 1);
  return counted.map(({ counts, length }) => {
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / Math.max(1, meanLength));
    const reached = weights.reduce((sum, { stem, weight }) => {
      const count = counts.get(stem) ?? 0;
      return sum + (weight * count * (saturation + 1)) / (count + norm);
    }, 0);
    return 0.01 + (most === 0 ? 0 : (0.98 * reached) / most);
  });
}

const saturation = 1.2;
const lengthShare = 0.75;

function termCounts(
  text: string,
  reader: TextReader,
): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>();
  const words = reader.words(text);
  for (const { stem } of words) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return { counts, length: words.length };
}
