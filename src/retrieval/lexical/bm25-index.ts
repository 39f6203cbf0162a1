import type { DatabaseSync } from "node:sqlite";
import type { RankedPassage, Retriever } from "../../contract/index.ts";
import { checkCount, contentHash } from "../../internal/index.ts";
import type { IndexFileOptions, IndexReport } from "../index-file/index-file.ts";
import { openIndexFile, inspectIndex } from "../index-file/index-file.ts";
import { passageOfRecord } from "../corpus/passage-record.ts";

export interface Bm25IndexOptions extends IndexFileOptions {
  /** Name in call paths and traces. @default "bm25" */
  readonly name?: string;
  /**
   * Whether a word that occurs several times in a query counts several times, as in Lucene: for
   * long rewrites, which repeat their subject. @default false
   */
  readonly countsRepeats?: boolean;
  /**
   * Lower-case words to ignore in queries, unless a query has no others: `englishStopWords`.
   * Passages keep theirs, so changing them does not require a new index. @default none
   */
  readonly stopWords?: readonly string[];
  readonly module?: string;
}

export interface Bm25Index extends Retriever, AsyncDisposable {
  /** Number of passages. */
  readonly size: number;
  /** The corpus's checksum. */
  readonly checksum: string;
  inspect(): IndexReport;
  /** Number of passages that contain a stemmed term; for `lexicalReranker`. */
  documentFrequency(stem: string): number;
}

/**
 * Embedded BM25 on SQLite's FTS5 with Porter stems, ignoring letter case and diacritics. A query is
 * the set of its words, or with `countsRepeats` all of them, joined by OR; passages without any of
 * them are not returned, so an empty query, or one of unknown words, returns none.
 *
 * Scores are FTS5's `bm25()` negated: k1 = 1.2, b = .75, idf = ln((N - n + .5) / (n + .5)) and 1e-6
 * where that is not positive; title and text count alike. Ties are ordered by id, in code-unit
 * order.
 *
 * @example
 * await using bm25 = await bm25Index({ path: "corpus.sqlite", corpus: "corpus.jsonl.gz" });
 * @throws EspalierError see `openIndexFile`
 */
export async function bm25Index({
  name = "bm25",
  countsRepeats = false,
  stopWords = [],
  module,
  ...fileOptions
}: Bm25IndexOptions = {}): Promise<Bm25Index> {
  const file = await openIndexFile(fileOptions);
  const { database, checksum, size } = file;
  const settings = {
    checksum,
    ...(countsRepeats && { countsRepeats }),
    ...(stopWords.length > 0 && { stopWords: stopWords.toSorted() }),
  };
  const reading = { keepsRepeats: countsRepeats, stopWords: new Set(stopWords) };
  const search = searcher(database, size);
  const frequency = database.prepare("SELECT doc FROM vocabulary WHERE term = ?");
  return {
    name,
    version: `1-${contentHash(settings).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    size,
    checksum,
    inspect: () => inspectIndex(file),
    documentFrequency: (stem) => Number(frequency.get(stem)?.["doc"] ?? 0),
    doRetrieve: async ({ query, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      return search(queryTerms(query, reading), k);
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

type Search = (terms: readonly string[], k: number) => readonly RankedPassage[];

/**
 * A search spends most of its time on words that nearly every passage contains, yet FTS5 gives
 * almost no weight (1e-6) to words in at least half of them. Such words are therefore searched only
 * if the others find fewer than `k` passages, and their results come last.
 */
function searcher(database: DatabaseSync, size: number): Search {
  const select = database.prepare(`
    SELECT passages.*, -found.cost AS score FROM (
      SELECT rowid, bm25(words) AS cost FROM words WHERE words MATCH ? ORDER BY cost, rowid LIMIT ?
    ) AS found JOIN passages ON passages.number = found.rowid ORDER BY found.cost, found.rowid
  `);
  const count = database.prepare("SELECT count(*) AS holders FROM words WHERE words MATCH ?");
  const frequent = new Map<string, boolean>();
  const isFrequent = (term: string): boolean => {
    const known = frequent.get(term);
    if (known !== undefined) return known;
    const holds = Number(count.get(term)?.["holders"]) >= size / 2;
    if (frequent.size >= maxRemembered) frequent.clear();
    frequent.set(term, holds);
    return holds;
  };
  const run: Search = (terms, k) => {
    if (terms.length === 0) return [];
    return select
      .all(terms.join(" OR "), k)
      .map((row) => ({ ...passageOfRecord(row), score: Number(row["score"]) }));
  };
  return (terms, k) => {
    const found = run(
      terms.filter((term) => !isFrequent(term)),
      k,
    );
    if (found.length === k) return found;
    const ids = new Set(found.map(({ id }) => id));
    const most = found.at(-1)?.score ?? Number.POSITIVE_INFINITY;
    const behind = run(terms.filter(isFrequent), k)
      .filter(({ id }) => !ids.has(id))
      .map((passage) => ({ ...passage, score: Math.min(passage.score, most) }));
    return [...found, ...behind.slice(0, k - found.length)];
  };
}

const maxRemembered = 10_000;

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
  return (keepsRepeats ? words : [...new Set(words)]).slice(0, maxTerms);
}

/**
 * The words of a query, each as a quoted FTS5 string, so that no operator (`AND`, `NEAR`), column
 * filter, quote, `*` or NUL reaches the query parser.
 */
function queryTerms(query: string, reading?: QueryReading): readonly string[] {
  return queryWords(query, reading).map((word) => `"${word}"`);
}

/** Word characters of FTS5's unicode61 tokenizer: letters, digits, marks, private use. */
const wordCharacters = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

const maxTerms = 256;
const noWords: ReadonlySet<string> = new Set();
