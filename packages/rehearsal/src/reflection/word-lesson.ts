import type { TextReader } from "../text/index.ts";

/**
 * Fills a phrasing with words of a prompt. Content words must occur in the prompt; function words
 * are free. `undefined` if the prompt allows no alternative of some slot.
 */
export function wordLesson(
  wording: string,
  vocabulary: ReadonlySet<string>,
  reader: TextReader,
): string | undefined {
  let isPossible = true;
  const sentence = wording.replaceAll(/\{([^{}]+)\}/g, (_, alternatives: string) => {
    const chosen = alternatives.split("|").find((phrase) => isKnown(phrase, vocabulary, reader));
    isPossible &&= chosen !== undefined;
    return chosen ?? "";
  });
  if (!isPossible || !isKnown(sentence, vocabulary, reader)) return undefined;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Whether every content word of a text occurs in the vocabulary, by stem. */
export function isKnown(
  text: string,
  vocabulary: ReadonlySet<string>,
  reader: TextReader,
): boolean {
  return reader.words(text).every(({ kind, stem }) => kind === "function" || vocabulary.has(stem));
}
