/**
 * Sentences of a text, trimmed, none empty. A full stop inside a number or a one-letter
 * abbreviation does not end a sentence; a line break does.
 */
export function sentences(text: string): string[] {
  return text
    .split(/(?=\s)(?<=(?:[^\s.]{2}|\d)[.!?]["'”’)\]]*)\s+(?=\S)|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
