import type { Word } from "../../text/index.ts";

/** A run of words in a sentence. */
export interface Span {
  /** Index of the first word, and the index after the last. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Figures in digits or words, including a whole date or unit ("3 June 1849", "24 nautical miles");
 * a unit that the question contains is left out.
 */
export function figuresIn(
  text: string,
  words: readonly Word[],
  asked: ReadonlySet<string>,
): readonly Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < words.length; from++) {
    const word = words[from];
    if (word === undefined || !isFigure(word) || asked.has(word.stem)) continue;
    let to = from + 1;
    while (isFigureGoingOn(words, to) && isClose(text, words, to)) to += 1;
    const unit = words[to];
    const isUnit =
      unit !== undefined &&
      unit.kind !== "function" &&
      !unit.isName &&
      !asked.has(unit.stem) &&
      isClose(text, words, to);
    const end = isUnit ? to + 1 : to;
    spans.push({ from, to, text: text.slice(word.start, words[end - 1]?.end) });
    from = to - 1;
  }
  return spans;
}

/**
 * Names that are not in the question, whole; a capital at the start of a sentence is a name only if
 * more name words follow.
 */
export function namesIn(
  text: string,
  words: readonly Word[],
  asked: ReadonlySet<string>,
): readonly Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < words.length; from++) {
    const word = words[from];
    if (word === undefined || !isNameLike(word, words[from + 1]) || asked.has(word.stem)) continue;
    let to = from + 1;
    while (words[to]?.isName === true && isClose(text, words, to)) to += 1;
    spans.push({ from, to, text: text.slice(word.start, words[to - 1]?.end) });
    from = to - 1;
  }
  return spans;
}

function isNameLike(word: Word, next: Word | undefined): boolean {
  if (/^\d/.test(word.surface)) return false;
  if (word.isName) return true;
  return /^\p{Lu}/u.test(word.surface) && word.kind === "content" && next?.isName === true;
}

function isFigure({ surface, lower }: Word): boolean {
  return /\d/.test(surface) || numberWords.has(lower);
}

/** A further part of the same figure: "and a half", "June", "1849". */
function isFigureGoingOn(words: readonly Word[], index: number): boolean {
  const word = words[index];
  return word !== undefined && (isFigure(word) || months.has(word.lower));
}

/** Only a space, a dash, or the point or comma of a number precedes the word. */
function isClose(text: string, words: readonly Word[], index: number): boolean {
  return /^[\s.,-]?$/.test(text.slice(words[index - 1]?.end, words[index]?.start));
}

const numberWords: ReadonlySet<string> = new Set(
  `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half
  twice`.split(/\s+/),
);
const months: ReadonlySet<string> = new Set(
  `january february march april may june july august september october november december`.split(
    " ",
  ),
);
