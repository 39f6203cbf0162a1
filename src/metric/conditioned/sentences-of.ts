/** Sentences and lines of a text, trimmed, none empty; "U.S." ends none. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=(?:[^\s.]{2}|\d)[.!?]["'”’)]?)\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** A sentence without contractions: "can't", "cannot" and "can not" are one to a rule. */
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
