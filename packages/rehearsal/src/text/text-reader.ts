import { fillerWords, functionWords, pronouns } from "./common-words.ts";
import { remembering } from "./remembering.ts";
import { stem } from "./stem.ts";

export interface Word {
  /** As written, without a possessive ending. */
  readonly surface: string;
  /** Lower case, without apostrophes. */
  readonly lower: string;
  readonly stem: string;
  readonly kind: "content" | "filler" | "function";
  /** Written like a name or a code: a capital inside a sentence, digits, or all capitals. */
  readonly isName: boolean;
  readonly isPronoun: boolean;
  /** Index of the first character in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Splits text into words. Its only state is a cache of a bounded number of words and texts. */
export interface TextReader {
  words(text: string): readonly Word[];
  /** Stems of the content words, in order of first appearance. */
  stems(text: string): ReadonlySet<string>;
  stem(word: string): string;
}

export function textReader(): TextReader {
  const form = remembering(formOf, { most: 50_000 });
  const words = remembering((text) => splitWords(text, form), { most: 3_000 });
  const stems = remembering(
    (text): ReadonlySet<string> =>
      new Set(words(text).flatMap((word) => (word.kind === "content" ? [word.stem] : []))),
    { most: 3_000 },
  );
  return { words, stems, stem: (word) => form(word).stem };
}

function splitWords(text: string, form: (written: string) => Form): readonly Word[] {
  const found: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(wordPattern)) {
    const written = match[0];
    const known = form(written);
    const startsSentence = found.length === 0 || hasBreak(text, end, match.index);
    end = match.index + written.length;
    found.push({
      surface: known.surface,
      lower: known.lower,
      stem: known.stem,
      kind: known.kind,
      isPronoun: known.isPronoun,
      isName: startsSentence ? known.isNamedAtStart : known.isNamed,
      start: match.index,
      end,
    });
  }
  return found;
}

const wordPattern = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu;

/** Whether a sentence may start between two positions. */
function hasBreak(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    const character = text[index] ?? "";
    if (".!?:\n".includes(character)) return true;
  }
  return false;
}

/** The properties of a written word that do not depend on its position. */
interface Form extends Pick<Word, "surface" | "lower" | "stem" | "kind" | "isPronoun"> {
  readonly isNamed: boolean;
  /** The same at the start of a sentence, where a capital means little. */
  readonly isNamedAtStart: boolean;
}

function formOf(written: string): Form {
  const surface = written.replace(/['’]s$/i, "");
  const lower = surface.toLowerCase().replaceAll(/['’]/g, "");
  const kind = kindOf(lower);
  const hasDigit = /\d/.test(surface);
  return {
    surface,
    lower,
    stem: stem(lower),
    kind,
    isPronoun: pronouns.has(lower),
    isNamed: kind !== "function" && (hasDigit || /^\p{Lu}/u.test(surface)),
    isNamedAtStart: kind !== "function" && (hasDigit || /^\p{Lu}{2,}$/u.test(surface)),
  };
}

function kindOf(lower: string): Word["kind"] {
  if (functionWords.has(lower) || lower.length < 2)
    return /\d/.test(lower) ? "content" : "function";
  return fillerWords.has(lower) || fillerWords.has(lower.replace(/s$/, "")) ? "filler" : "content";
}
