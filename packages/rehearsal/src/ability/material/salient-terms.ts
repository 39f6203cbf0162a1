import type { TextReader, Word } from "../../text/index.ts";

/** A word worth carrying from one text into another. */
export interface Term {
  readonly surface: string;
  readonly stem: string;
  readonly isName: boolean;
  /** Higher is more worth carrying. */
  readonly score: number;
  /** Position of its first occurrence, for writing terms in their original order. */
  readonly index: number;
}

export interface WeighedText {
  readonly text: string;
  /** Weight of a word in this text. */
  readonly weight: number;
}

/**
 * Content words of some texts, best first: more frequent words, words from weightier texts, and
 * names rank higher. Ties go to the earlier word. Words with a stem in `except` are left out.
 */
export function salientTerms(
  texts: readonly WeighedText[],
  reader: TextReader,
  except: ReadonlySet<string>,
): readonly Term[] {
  const terms = new Map<string, Term>();
  let index = 0;
  for (const { text, weight } of texts) {
    for (const word of reader.words(text)) {
      index += 1;
      if (word.kind !== "content" || except.has(word.stem)) continue;
      const known = terms.get(word.stem);
      const gain = weight * (word.isName ? nameBonus : 1);
      terms.set(
        word.stem,
        known === undefined ? termOf(word, gain, index) : heard(known, word, gain),
      );
    }
  }
  return [...terms.values()].toSorted(
    (left, right) => right.score - left.score || left.index - right.index,
  );
}

const nameBonus = 1.6;

function termOf(word: Word, score: number, index: number): Term {
  return { surface: word.surface, stem: word.stem, isName: word.isName, score, index };
}

// A repetition counts half, so that one long text does not drown out the others.
function heard(term: Term, word: Word, gain: number): Term {
  return { ...term, isName: term.isName || word.isName, score: term.score + gain / 2 };
}
