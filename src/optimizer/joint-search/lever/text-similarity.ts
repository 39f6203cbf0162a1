import { cosineOfWords, wordVectors } from "../../../internal/index.ts";

/** How alike the inputs of two examples are, from 0 to 1. */
export type Similarity = (oneId: string, otherId: string) => number;

/** Texts that all are compared with; more would tell little and take long. */
const mostLandmarks = 200;

/**
 * Two texts are as alike as what they resemble: the cosine of their similarities to the first 200
 * texts, by words. Short texts about one thing often share no word, but they share words with the
 * same others (E. Pekalska and R. Duin, "The Dissimilarity Representation for Pattern Recognition",
 * 2005).
 */
export function textSimilarity(textOf: ReadonlyMap<string, string>): Similarity {
  const vectorOf = wordVectors(textOf.values());
  const vectors = new Map([...textOf].map(([id, text]) => [id, vectorOf(text)]));
  const landmarks = [...vectors.values()].slice(0, mostLandmarks);
  const profiles = new Map(
    [...vectors].map(([id, own]) => [id, unit(landmarks.map((one) => cosineOfWords(own, one)))]),
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

function unit(values: readonly number[]): readonly number[] {
  const length = Math.hypot(...values);
  return length === 0 ? values : values.map((value) => value / length);
}

function dotProduct(one: readonly number[] = [], other: readonly number[] = []): number {
  return one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
}
