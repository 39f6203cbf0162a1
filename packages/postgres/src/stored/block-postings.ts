import type { Passage } from "../../../../src/index.ts";
import { fts5Tokenizer } from "../../../../src/retrieval/index.ts";
import { sqlite } from "../../../../src/internal/index.ts";

/** Passages whose words are stored together; at most 65,536, see `packedPosting`. */
export const blockSize = 16_384;

/** A stem's passages within one block. */
export interface StemPostings {
  readonly stem: string;
  /** Number of passages. */
  readonly holders: number;
  /** One number per passage, in passage order. */
  readonly packed: readonly number[];
}

/** The words of one block of passages. */
export interface BlockPostings {
  /** Words of all passages, with repeats. */
  readonly words: number;
  readonly stems: Iterable<StemPostings>;
}

const wordBits = 18;
/** Limits of what is counted. Beyond them BM25's value no longer changes by a thousandth. */
const maxInTitle = 2 ** 6 - 1;
const maxInText = 2 ** 8 - 1;
const maxWords = 2 ** wordBits - 1;

/**
 * One passage's share in a stem as one number: from the lowest bit, 6 bits for occurrences in the
 * title, 8 for those in the text, 18 for the words of title and text together, 16 for the passage's
 * place in its block. Counts above those limits are stored as the limits.
 */
function packedPosting(index: number, inTitle: number, inText: number, words: number): number {
  const counts = Math.min(inTitle, maxInTitle) + Math.min(inText, maxInText) * 2 ** 6;
  return index * 2 ** 32 + Math.min(words, maxWords) * 2 ** 14 + counts;
}

/** Reads a block's words with the tokenizer of the SQLite index, so that both find the same. */
export function blockPostings(passages: readonly Passage[]): BlockPostings {
  const database = sqlite(":memory:");
  try {
    database.exec(`
      CREATE VIRTUAL TABLE words USING fts5(title, text, content='', tokenize='${fts5Tokenizer}');
      CREATE VIRTUAL TABLE instances USING fts5vocab(words, 'instance');
      BEGIN;
    `);
    const insert = database.prepare("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)");
    for (const [index, { title = null, text }] of passages.entries()) {
      insert.run(index, title, text);
    }
    const words = new Uint32Array(passages.length);
    const held = new Map<string, Occurrences>();
    // The table is ordered by term, then by passage, so grouping needs no sorting.
    const select = database.prepare(`
      SELECT term, group_concat(2 * doc + (col = 'title')) AS codes FROM instances GROUP BY term
    `);
    for (const { term, codes } of select.iterate()) {
      held.set(String(term), occurrencesIn(String(codes), words));
    }
    return { words: words.reduce((sum, count) => sum + count, 0), stems: packed(held, words) };
  } finally {
    database.close();
  }
}

/** Per passage that holds a stem, in their order. */
interface Occurrences {
  readonly places: readonly number[];
  readonly inTitle: readonly number[];
  readonly inText: readonly number[];
}

/**
 * Reads `2 * place`, plus 1 in a title, of each occurrence in the order of places, joined by
 * commas; counts them in `words`. Digit by digit, since splitting takes most of a build's time.
 */
function occurrencesIn(codes: string, words: Uint32Array): Occurrences {
  const places: number[] = [];
  const inTitle: number[] = [];
  const inText: number[] = [];
  let last = -1;
  for (let at = 0; at < codes.length; at++) {
    let code = 0;
    for (; at < codes.length && codes.charCodeAt(at) !== comma; at++) {
      code = code * 10 + (codes.charCodeAt(at) - zero);
    }
    const index = code >> 1;
    if (places[last] !== index) last = places.push(index) - 1;
    const counts = (code & 1) === 1 ? inTitle : inText;
    counts[last] = (counts[last] ?? 0) + 1;
    words[index] = (words[index] ?? 0) + 1;
  }
  return { places, inTitle, inText };
}

const comma = ",".charCodeAt(0);
const zero = "0".charCodeAt(0);

function* packed(
  held: ReadonlyMap<string, Occurrences>,
  words: Uint32Array,
): Iterable<StemPostings> {
  for (const [stem, { places, inTitle, inText }] of held) {
    yield {
      stem,
      holders: places.length,
      packed: places.map((position, index) =>
        packedPosting(position, inTitle[index] ?? 0, inText[index] ?? 0, words[position] ?? 0),
      ),
    };
  }
}
