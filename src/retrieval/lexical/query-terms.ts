/**
 * The distinct words of a query, lower-cased, each as a quoted FTS5 string: neither operators
 * (`AND`, `NEAR`), column filters, quotes, `*` nor NUL can reach the query parser. Only the first 256
 * are used, since the time of a search grows with their number. With `keepsRepeats`, a word stands as
 * often as the query has it, and FTS5 counts it as often. Stop words are left out where others are left.
 */
export function queryTerms(
  query: string,
  {
    keepsRepeats = false,
    stopWords = noWords,
  }: { readonly keepsRepeats?: boolean; readonly stopWords?: ReadonlySet<string> } = {},
): readonly string[] {
  const all = query.toLowerCase().match(wordCharacters) ?? [];
  const telling = all.filter((word) => !stopWords.has(word));
  const words = telling.length === 0 ? all : telling;
  return (keepsRepeats ? words : [...new Set(words)])
    .slice(0, mostTerms)
    .map((word) => `"${word}"`);
}

/** What FTS5's unicode61 tokenizer takes for part of a word: letters, digits, marks, private use. */
const wordCharacters = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

const mostTerms = 256;
const noWords: ReadonlySet<string> = new Set();
