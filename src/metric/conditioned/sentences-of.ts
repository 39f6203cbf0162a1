/** The non-empty sentences and lines of a text, trimmed; "U.S." does not end a sentence. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=(?:[^\s.]{2}|\d)[.!?]["'”’)]?)\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Expands contractions, so that rules treat "can't", "cannot" and "can not" alike. */
export function uncontracted(sentence: string): string {
  return sentence
    .replaceAll("’", "'")
    .replaceAll(/\bcan(?:no|')t\b/giu, "can not")
    .replaceAll(/\bwon't\b/giu, "will not")
    .replaceAll(/(?<=\w)n't\b/giu, " not")
    .replaceAll(/(?<=\bi)'m\b/giu, " am")
    .replaceAll(/(?<=\b(?:we|you|they))'re\b/giu, " are")
    .replaceAll(/(?<=\b(?:i|we|you|they))'ve\b/giu, " have")
    .replaceAll(/\s+/gu, " ");
}
