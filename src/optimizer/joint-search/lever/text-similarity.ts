/** How alike the inputs of two examples are, from 0 to 1. */
export type Similarity = (oneId: string, otherId: string) => number;

/** Texts that all are compared with; more would tell little and take long. */
const mostLandmarks = 200;

/**
 * Two texts are as alike as what they resemble: the cosine of their similarities to the first 200
 * texts. Short texts about one thing often share no word, but they share words with the same others
 * (E. Pekalska and R. Duin, "The Dissimilarity Representation for Pattern Recognition", 2005). What
 * a text resembles is the cosine of word counts, a word weighing more the fewer texts have it
 * (G. Salton and C. Buckley, "Term-weighting Approaches in Automatic Text Retrieval", Information
 * Processing & Management 24, 1988).
 */
export function textSimilarity(textOf: ReadonlyMap<string, string>): Similarity {
  const counts = new Map([...textOf].map(([id, text]) => [id, wordCounts(text)]));
  const holders = new Map<string, number>();
  for (const words of counts.values()) {
    for (const word of words.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  }
  const rarity = (word: string): number => Math.log(counts.size / (holders.get(word) ?? 1));
  const vectors = new Map([...counts].map(([id, words]) => [id, unitVector(words, rarity)]));
  const landmarks = [...vectors.values()].slice(0, mostLandmarks);
  const profiles = new Map(
    [...vectors].map(([id, own]) => [id, unit(landmarks.map((one) => innerProduct(own, one)))]),
  );
  const known = new Map<string, Map<string, number>>();
  return (oneId, otherId) => {
    const ofOne = known.get(oneId) ?? new Map<string, number>();
    known.set(oneId, ofOne);
    const cosine = ofOne.get(otherId) ?? dotProduct(profiles.get(oneId), profiles.get(otherId));
    ofOne.set(otherId, cosine);
    return cosine;
  };
}

type Vector = ReadonlyMap<string, number>;

function wordCounts(text: string): Vector {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function unitVector(counts: Vector, rarity: (word: string) => number): Vector {
  const weights = [...counts].map(
    ([word, count]) => [word, (1 + Math.log(count)) * rarity(word)] as const,
  );
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight ** 2, 0));
  return new Map(weights.map(([word, weight]) => [word, length === 0 ? 0 : weight / length]));
}

function innerProduct(one: Vector = new Map(), other: Vector = new Map()): number {
  const [shorter, longer] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [word, weight] of shorter) sum += weight * (longer.get(word) ?? 0);
  return sum;
}

function unit(values: readonly number[]): readonly number[] {
  const length = Math.hypot(...values);
  return length === 0 ? values : values.map((value) => value / length);
}

function dotProduct(one: readonly number[] = [], other: readonly number[] = []): number {
  return one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
}
