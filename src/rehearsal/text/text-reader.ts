import { fillerWords, functionWords, pronouns } from "./common-words.ts";
import { stem } from "./stem.ts";

export interface Word {
  /** As written, without a possessive ending. */
  readonly surface: string;
  /** Lower case, without apostrophes. */
  readonly lower: string;
  readonly stem: string;
  readonly kind: "content" | "filler" | "function";
  /** Written as a name or a code: a capital inside a sentence, digits, or all capitals. */
  readonly isName: boolean;
  readonly isPronoun: boolean;
  /** Place of the first character in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Splits text into words. It remembers stems, a bounded number of them, and nothing else. */
export interface TextReader {
  words(text: string): readonly Word[];
  /** Stems of the content words, in order of first appearance. */
  stems(text: string): ReadonlySet<string>;
  stem(word: string): string;
}

export function textReader({
  remembered = 50_000,
}: { readonly remembered?: number } = {}): TextReader {
  const stemByWord = new Map<string, string>();

  const stemOf = (word: string): string => {
    const known = stemByWord.get(word);
    if (known !== undefined) return known;
    if (stemByWord.size >= remembered) stemByWord.clear();
    const made = stem(word);
    stemByWord.set(word, made);
    return made;
  };

  const words = (text: string): readonly Word[] => {
    const found: Word[] = [];
    let sentenceStarts = true;
    let end = 0;
    for (const match of text.matchAll(wordPattern)) {
      const written = match[0];
      if (/[.!?:\n]/.test(text.slice(end, match.index))) sentenceStarts = true;
      const surface = written.replace(/['’]s$/i, "");
      const lower = surface.toLowerCase().replaceAll(/['’]/g, "");
      const kind = kindOf(lower);
      end = match.index + written.length;
      found.push({
        surface,
        lower,
        stem: stemOf(lower),
        kind,
        isName: kind !== "function" && looksNamed(surface, sentenceStarts),
        isPronoun: pronouns.has(lower),
        start: match.index,
        end,
      });
      sentenceStarts = false;
    }
    return found;
  };

  return {
    words,
    stem: stemOf,
    stems: (text) =>
      new Set(words(text).flatMap((word) => (word.kind === "content" ? [word.stem] : []))),
  };
}

const wordPattern = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu;

function kindOf(lower: string): Word["kind"] {
  if (functionWords.has(lower) || lower.length < 2)
    return /\d/.test(lower) ? "content" : "function";
  return fillerWords.has(lower) ? "filler" : "content";
}

function looksNamed(surface: string, startsSentence: boolean): boolean {
  if (/\d/.test(surface)) return true;
  if (!/^\p{Lu}/u.test(surface)) return false;
  return !startsSentence || /^\p{Lu}{2,}$/u.test(surface);
}
