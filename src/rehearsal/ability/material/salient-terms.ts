import type { TextReader, Word } from "../../text/index.ts";

/** A word worth carrying over from one text into another. */
export interface Term {
  readonly surface: string;
  readonly stem: string;
  readonly isName: boolean;
  /** Higher is more worth carrying. */
  readonly score: number;
  /** Where it first stands, for writing terms in the order they were said. */
  readonly place: number;
}

export interface WeighedText {
  readonly text: string;
  /** Weight of a word said here. */
  readonly weight: number;
}

/**
 * Content words of some texts, best first: said more often, in weightier texts, as names. Ties go
 * to the earlier one. Words with a stem in `except` are left out.
 */
export function salientTerms(
  texts: readonly WeighedText[],
  reader: TextReader,
  except: ReadonlySet<string>,
): readonly Term[] {
  const terms = new Map<string, Term>();
  let place = 0;
  for (const { text, weight } of texts) {
    for (const word of reader.words(text)) {
      place += 1;
      if (word.kind !== "content" || except.has(word.stem)) continue;
      const known = terms.get(word.stem);
      const gain = weight * (word.isName ? nameBonus : 1);
      terms.set(
        word.stem,
        known === undefined ? termOf(word, gain, place) : heard(known, word, gain),
      );
    }
  }
  return [...terms.values()].toSorted(
    (left, right) => right.score - left.score || left.place - right.place,
  );
}

const nameBonus = 1.6;

function termOf(word: Word, score: number, place: number): Term {
  return { surface: word.surface, stem: word.stem, isName: word.isName, score, place };
}

// Said again counts half, so that one long text does not drown the others.
function heard(term: Term, word: Word, gain: number): Term {
  return { ...term, isName: term.isName || word.isName, score: term.score + gain / 2 };
}
