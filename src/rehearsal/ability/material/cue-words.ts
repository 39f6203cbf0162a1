import type { TextReader, Word } from "../../text/index.ts";

/** Words of a question that may say how a name in another text bears on it. */
export interface CueWords {
  /** Roots of the question's content words that a text has, too. */
  readonly sharedWith: (text: string) => ReadonlySet<string>;
  /** Whether a word of another text is of the family of one of the question's, and no name. */
  readonly isCue: (word: Word) => boolean;
  /** How far after a cue, in words, a name still counts as near. */
  readonly near: number;
}

/**
 * Number of leading letters that related words share when their stems differ: `designer`,
 * `designed`. Short words are compared by stem alone, so `owner` and `owned` do not match.
 */
const rootLength = 5;

/**
 * A question asks for something by a common word, "the designer of", and a text that tells it has a
 * word of the same family, with the name that is asked for soon after: "designed by Ada Brandt".
 * That holds of English whatever the subject is; no word is known beforehand.
 */
export function cueWords(question: string, reader: TextReader): CueWords {
  const rootsOf = (text: string): ReadonlySet<string> =>
    new Set([...reader.stems(text)].map((stem) => stem.slice(0, rootLength)));
  const asked = rootsOf(question);
  return {
    sharedWith: (text) => asked.intersection(rootsOf(text)),
    isCue: ({ kind, isName, stem }) =>
      kind === "content" && !isName && asked.has(stem.slice(0, rootLength)),
    near: 4,
  };
}
