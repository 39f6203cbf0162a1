/** Words as the authors count them: separated by white space. */
export function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** The first words of a text, up to the given number, with their white space unchanged. */
export function firstWords(text: string, count: number): string {
  let words = 0;
  for (const { index } of text.matchAll(/\S+/g)) {
    if (words === count) return text.slice(0, index).trimEnd();
    words += 1;
  }
  return text;
}
