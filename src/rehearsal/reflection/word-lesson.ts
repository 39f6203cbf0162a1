import type { TextReader } from "../text/index.ts";

/**
 * Fills a wording from the words of a prompt. Content words may only be such as the prompt holds;
 * small words of grammar are free. `undefined` when a slot has no alternative that the prompt
 * allows.
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

/** Whether every word of a text that is not mere grammar occurs in the vocabulary, by stem. */
export function isKnown(
  text: string,
  vocabulary: ReadonlySet<string>,
  reader: TextReader,
): boolean {
  return reader.words(text).every(({ kind, stem }) => kind === "function" || vocabulary.has(stem));
}
