import { wordsOf } from "../python-text.ts";

/**
 * Equation 4: the share of an answer's 4-grams that stand in the spans, as sets of lower-cased words
 * between white space; 4-grams of the spans may cross from one to the next. 0 for an answer of less
 * than four words.
 */
export function extractiveness(answer: string, spans: readonly string[]): number {
  const own = fourGrams(answer);
  if (own.size === 0) return 0;
  return own.intersection(fourGrams(spans.join(" "))).size / own.size;
}

function fourGrams(text: string): ReadonlySet<string> {
  const words = wordsOf(text.toLowerCase());
  return new Set(words.slice(3).map((_, start) => words.slice(start, start + 4).join(" ")));
}
