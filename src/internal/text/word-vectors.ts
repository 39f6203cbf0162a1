/** The weights of a text's words, together of length 1; empty for a text without telling words. */
export type WordVector = ReadonlyMap<string, number>;

/**
 * Word counts of any text, a word weighing more the fewer of the given texts have it, and nothing
 * if all have it (G. Salton and C. Buckley, "Term-weighting Approaches in Automatic Text
 * Retrieval", Information Processing & Management 24, 1988).
 */
export function wordVectors(texts: Iterable<string>): (text: string) => WordVector {
  const holders = new Map<string, number>();
  let size = 0;
  for (const text of texts) {
    size++;
    for (const word of wordCounts(text).keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  }
  const rarity = (word: string): number => Math.log(size / (holders.get(word) ?? 1));
  return (text) => unitVector(wordCounts(text), rarity);
}

/** Cosine of two word vectors, from 0 to 1. */
export function cosineOfWords(one: WordVector, other: WordVector): number {
  const [shorter, longer] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [word, weight] of shorter) sum += weight * (longer.get(word) ?? 0);
  return sum;
}

function wordCounts(text: string): WordVector {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function unitVector(counts: WordVector, rarity: (word: string) => number): WordVector {
  const weights = [...counts].map(
    ([word, count]) => [word, (1 + Math.log(count)) * rarity(word)] as const,
  );
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight ** 2, 0));
  return new Map(weights.map(([word, weight]) => [word, length === 0 ? 0 : weight / length]));
}
