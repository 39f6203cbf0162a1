/**
 * Sentences of a text, trimmed, none empty. A full stop inside a number or an abbreviation of one
 * letter does not end one; a line break does.
 */
export function sentences(text: string): string[] {
  return text
    .split(/(?=\s)(?<=(?:[^\s.]{2}|\d)[.!?]["'”’)\]]*)\s+(?=\S)|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
