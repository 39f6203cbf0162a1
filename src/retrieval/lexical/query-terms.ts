export interface QueryReading {
  /** Whether a word occurs, and counts, as often as in the query. @default false */
  readonly keepsRepeats?: boolean;
  /** Dropped if other words remain. @default none */
  readonly stopWords?: ReadonlySet<string>;
}

/**
 * The distinct words of a query, lower-cased. Uses only the first 256, since the time of a search
 * grows with their number.
 */
export function queryWords(
  query: string,
  { keepsRepeats = false, stopWords = noWords }: QueryReading = {},
): readonly string[] {
  const all = query.toLowerCase().match(wordCharacters) ?? [];
  const contentWords = all.filter((word) => !stopWords.has(word));
  const words = contentWords.length === 0 ? all : contentWords;
  return (keepsRepeats ? words : [...new Set(words)]).slice(0, mostTerms);
}

/**
 * The words of a query, each as a quoted FTS5 string, so that no operator (`AND`, `NEAR`), column
 * filter, quote, `*` or NUL reaches the query parser.
 */
export function queryTerms(query: string, reading?: QueryReading): readonly string[] {
  return queryWords(query, reading).map((word) => `"${word}"`);
}

/** Word characters of FTS5's unicode61 tokenizer: letters, digits, marks, private use. */
const wordCharacters = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

const mostTerms = 256;
const noWords: ReadonlySet<string> = new Set();
