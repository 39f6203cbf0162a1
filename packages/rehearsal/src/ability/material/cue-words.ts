import type { TextReader, Word } from "../../text/index.ts";

/** Words of a question that may show how a name in another text bears on it. */
export interface CueWords {
  /** Roots of the question's content words that also occur in a text. */
  readonly sharedWith: (text: string) => ReadonlySet<string>;
  /** Whether a word of another text shares a root with a word of the question and is not a name. */
  readonly isCue: (word: Word) => boolean;
  /** Maximum distance, in words, at which a name after a cue counts as near. */
  readonly near: number;
}

/**
 * Number of leading letters that related words share if their stems differ: `designer`, `designed`.
 * Short words are compared only by stem, so `owner` and `owned` do not match.
 */
const rootLength = 5;

/**
 * A question asks for something by a common word, "the designer of", and a text that answers it
 * uses a related word, soon followed by the requested name: "designed by Ada Brandt". This holds
 * for English on any subject; no word is known in advance.
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
