import { hash } from "node:crypto";

/** A sentence in comparable form: lowercase words with single spaces, without punctuation. */
export interface Sentence {
  readonly text: string;
  readonly distinctWords: number;
}

/** A text in comparable form, to match against what a client sent back. */
export interface ComparedText {
  /** All words; the text itself if it has none. */
  readonly whole: string;
  /** Distinct sentences. */
  readonly sentences: readonly Sentence[];
}

/**
 * Normalizes a text: well-formed Unicode, NFKC, case folded, and split into sentences and words, so
 * that white space, punctuation and Markdown make no difference.
 */
export function comparedText(text: string): ComparedText {
  const folded = text.toWellFormed().normalize("NFKC").toUpperCase().toLowerCase();
  const lines = sentencesIn(folded, lineOrSentence);
  // A line may end a sentence, or be wrapped within one.
  const wrapped = lineEnd.test(folded) ? sentencesIn(folded, paragraphOrSentence) : [];
  const sentences = new Map([...lines, ...wrapped].map((each) => [each.text, each]));
  const whole = lines.map(({ text: line }) => line).join(" ") || folded.trim();
  return { whole, sentences: [...sentences.values()] };
}

function sentencesIn(folded: string, end: RegExp): readonly Sentence[] {
  return folded.split(end).flatMap((piece) => {
    const words = piece.match(word);
    return words === null ? [] : { text: words.join(" "), distinctWords: new Set(words).size };
  });
}

/** The longest sentences of a text, which identify it best. */
export function longestSentences(text: ComparedText): readonly Sentence[] {
  if (text.sentences.length <= mostSentences) return text.sentences;
  return text.sentences
    .toSorted((left, right) => right.text.length - left.text.length)
    .slice(0, mostSentences);
}

/** 48 bits, which fit a number of both SQLite and JavaScript. */
export function sentenceHash(sentence: string): number {
  return Number.parseInt(hash("sha256", sentence).slice(0, 12), 16);
}

/** Bounds the index cost of each answer. */
const mostSentences = 12;

const lineEnd = /[\n\r\u2028\u2029]/u;
const lineOrSentence = /[.!?。\n\r\u2028\u2029]/u;
const paragraphOrSentence = /[.!?。]|\n\s*\n/u;
/** In scripts without spaces between words, each letter counts as a word. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+/gv;
