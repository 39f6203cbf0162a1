/** Words as the authors count them: what white space parts. */
export function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** The beginning of a text, up to so many words, its white space as it was. */
export function firstWords(text: string, count: number): string {
  let words = 0;
  for (const { index } of text.matchAll(/\S+/g)) {
    if (words === count) return text.slice(0, index).trimEnd();
    words += 1;
  }
  return text;
}
