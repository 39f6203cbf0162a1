/**
 * The distinct words of a query, lower-cased, each as a quoted FTS5 string: neither operators
 * (`AND`, `NEAR`), column filters, quotes, `*` nor NUL can reach the query parser. Only the first 256
 * are used, since the time of a search grows with their number. With `keepsRepeats`, a word stands as
 * often as the query has it, and FTS5 counts it as often.
 */
export function queryTerms(query: string, keepsRepeats: boolean = false): readonly string[] {
  const words = query.toLowerCase().match(wordCharacters) ?? [];
  return (keepsRepeats ? words : [...new Set(words)])
    .slice(0, mostTerms)
    .map((word) => `"${word}"`);
}

/** What FTS5's unicode61 tokenizer takes for part of a word: letters, digits, marks, private use. */
const wordCharacters = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

const mostTerms = 256;
