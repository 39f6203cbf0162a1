import type { Stemmer } from "./stemmed-words.ts";

/**
 * A stemmer that caches the stems of recent texts, since the same passages come up for many
 * queries.
 *
 * @param kept maximum number of cached texts
 */
export function rememberedStems(stemsOf: Stemmer, kept = 4_096): Stemmer {
  const known = new Map<string, readonly string[]>();
  return (texts) => {
    const unknown = [...new Set(texts)].filter((text) => !known.has(text));
    const stems = new Map(zipped(unknown, stemsOf(unknown)));
    const found = texts.map((text) => stems.get(text) ?? known.get(text) ?? []);
    for (const [place, text] of texts.entries()) {
      // Moves the most recent text to the end; eviction starts at the front.
      known.delete(text);
      known.set(text, found[place] ?? []);
    }
    for (const text of known.keys()) {
      if (known.size <= kept) break;
      known.delete(text);
    }
    return found;
  };
}

function zipped<TKey, TValue>(
  keys: readonly TKey[],
  values: readonly TValue[],
): readonly (readonly [TKey, TValue])[] {
  return keys.flatMap((key, place) => {
    const value = values[place];
    return value === undefined ? [] : [[key, value] as const];
  });
}
