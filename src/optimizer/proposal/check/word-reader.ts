import { once } from "../../../internal/index.ts";
import { sentencesOf } from "../text/plain-text.ts";

/** Reads texts as words, and remembers them for a while: most are read again soon. */
export interface WordReader {
  /** `spaced` words of a text. */
  readonly spaced: (text: string) => string;
  /** The whole text and its sentences, as words, without those of too few words. */
  readonly wholes: (text: string) => readonly string[];
}

/** @param least words of a whole text or sentence, at least */
export function wordReader(least: number): WordReader {
  return {
    spaced: remembered((text) => spaced(wordsOf(text))),
    wholes: remembered((text) =>
      [text, ...sentencesOf(text)]
        .map(wordsOf)
        .filter(({ length }) => length >= least)
        .map((words) => words.join(" ")),
    ),
  };
}

/** Remembers the results for the last texts, of a million characters at most, twice. */
function remembered<TResult>(read: (text: string) => TResult): (text: string) => TResult {
  let [recent, earlier] = [new Map<string, TResult>(), new Map<string, TResult>()];
  let left = mostRemembered;
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const result = earlier.get(text) ?? read(text);
    left -= text.length;
    if (left < 0) [recent, earlier, left] = [new Map(), recent, mostRemembered];
    recent.set(text, result);
    return result;
  };
}

/** In UTF-16 code units. */
const mostRemembered = 1e6;

/** Scripts without word separators: each character counts as a word. */
const wordPattern = once(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu,
);

export function wordsOf(text: string): readonly string[] {
  const lower = text.normalize("NFKC").toLowerCase();
  // The same words, at a fraction of the time.
  const isAscii = !/[^\0-\x7f]/.test(lower);
  return lower.match(isAscii ? /[a-z0-9]+/g : wordPattern()) ?? [];
}

/** Words with a space around each, so that a search for some finds whole words alone. */
export function spaced(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}
