import { setImmediate as breathe } from "node:timers/promises";
import type { Embedder, Passage } from "espalier";

/** Words in the language that passages are made of. */
const vocabulary = 200_000;
/** Directions around which vectors lie, as those of texts about one subject do. */
const subjects = 1_000;
const dimension = 128;

/**
 * `count` passages of 40 to 80 words, the same for the same count: words by Zipf's law (the word of
 * rank r with probability 1/r), each a made-up syllable sequence.
 */
export function* madePassages(count: number): Iterable<Passage> {
  const random = randomFrom(1);
  for (let number = 0; number < count; number++) {
    const words = Array.from({ length: 40 + Math.floor(random() * 41) }, () => wordOf(random()));
    yield { id: `p${String(number).padStart(7, "0")}`, text: words.join(" ") };
  }
}

/** Queries of 3 to 8 different words that one passage has, beyond the 100 most frequent words. */
export function madeQueries(passages: readonly Passage[], count: number): readonly string[] {
  const random = randomFrom(2);
  const frequent = new Set(Array.from({ length: 100 }, (_, rank) => spelled(rank)));
  return Array.from({ length: count }, () => {
    const { text } = passages[Math.floor(random() * passages.length)] ?? { text: "" };
    const words = [...new Set(text.split(" "))].filter((word) => !frequent.has(word));
    const kept = 3 + Math.floor(random() * 6);
    return words
      .map((word) => ({ word, at: random() }))
      .toSorted((left, right) => left.at - right.at)
      .slice(0, kept)
      .map(({ word }) => word)
      .join(" ");
  });
}

/** A direction near one of the subjects, decided by the text alone; instead of a model. */
export function madeEmbedder(): Embedder {
  const random = randomFrom(3);
  const centres = Array.from({ length: subjects }, () =>
    Float32Array.from({ length: dimension }, () => random() - 0.5),
  );
  return {
    identity: { provider: "made-up", model: `directions-${subjects}-${dimension}` },
    doEmbed: async (texts) => {
      // As a server's reply would, lets others have their turn.
      await breathe();
      return {
        vectors: texts.map((text) => {
          let hash = 2_166_136_261;
          for (let at = 0; at < text.length; at++) {
            hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0;
          }
          const noise = randomFrom(hash);
          const centre = centres[hash % subjects] ?? new Float32Array(dimension);
          return centre.map((value) => value + (noise() - 0.5));
        }),
        usage: { promptTokens: 0 },
      };
    },
  };
}

const logOfVocabulary = Math.log(vocabulary + 1);

/** By inverting the harmonic sum's logarithm. */
function wordOf(uniform: number): string {
  return spelled(Math.floor(Math.exp(uniform * logOfVocabulary)) - 1);
}

const consonants = "bdfghjklmnprstvz";
const vowels = "aeiou";

/** Different for each rank; ends in a vowel, so that no stemmer joins two words. */
function spelled(rank: number): string {
  let word = "";
  for (let left = rank + 80; left > 0; left = Math.floor(left / 80)) {
    word += (consonants[left % 16] ?? "") + (vowels[Math.floor(left / 16) % 5] ?? "");
  }
  return word;
}

/** Mulberry32: quick, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
