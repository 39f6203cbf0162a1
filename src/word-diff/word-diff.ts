import { diffArrays } from "diff";
import { excerpt } from "../internal/index.ts";

/** A stretch of words that both texts share or that only one of them has. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/**
 * Texts with more differences than this count as one change: time and memory grow with its square.
 */
const maxEdits = 1000;

/**
 * Compares two texts word by word, sharing as many words as possible and keeping white space. Texts
 * that differ in more than a thousand words are first compared by lines; lines that differ as much
 * are shown as replaced. Changes separated only by white space merge into one, as in `git diff
 * --word-diff`. Without the added parts the rest forms the first text, without the removed parts
 * the second.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  return joined(byWords(before, after) ?? byLines(before, after) ?? replaced(before, after));
}

function byWords(before: string, after: string): readonly DiffPart[] | undefined {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  const changes = diffArrays<Word>([...one], [...other], {
    comparator: (left, right) => left.word === right.word,
    maxEditLength: maxEdits,
  });
  if (changes === undefined) return undefined;
  let [left, right] = [0, 0];
  return changes.flatMap(({ added, removed, count }): readonly DiffPart[] => {
    const gone = added ? [] : one.slice(left, (left += count));
    const come = removed ? [] : other.slice(right, (right += count));
    if (removed) return [{ kind: "removed", text: textOf(gone) }];
    if (added) return [{ kind: "added", text: textOf(come) }];
    return gone.flatMap(({ word, space }, index) => {
      const newSpace = come[index]?.space ?? "";
      return space === newSpace
        ? [{ kind: "same", text: word + space }]
        : [{ kind: "same", text: word }, ...replaced(space, newSpace)];
    });
  });
}

function byLines(before: string, after: string): readonly DiffPart[] | undefined {
  const changes = diffArrays(linesOf(before), linesOf(after), { maxEditLength: maxEdits });
  if (changes === undefined) return undefined;
  const parts: DiffPart[] = [];
  let [gone, come] = ["", ""];
  const end = (): void => {
    parts.push(...(byWords(gone, come) ?? replaced(gone, come)));
    [gone, come] = ["", ""];
  };
  for (const { added, removed, value } of changes) {
    const text = value.join("");
    if (removed) gone += text;
    else if (added) come += text;
    else {
      end();
      parts.push({ kind: "same", text });
    }
  }
  end();
  return parts;
}

function replaced(before: string, after: string): readonly DiffPart[] {
  return [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
}

interface Word {
  readonly word: string;
  /** The white space before the next word. */
  readonly space: string;
}

/** Starts with an empty word if the text starts with white space. */
function wordsOf(text: string): readonly Word[] {
  return (text.match(/^\s+|\S+\s*/g) ?? []).map((part) => {
    const word = part.trimEnd();
    return { word, space: part.slice(word.length) };
  });
}

function textOf(words: readonly Word[]): string {
  return words.map(({ word, space }) => word + space).join("");
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Merges the changes between two unchanged parts into one removed and one added part. */
function joined(parts: readonly DiffPart[]): readonly DiffPart[] {
  const all: DiffPart[] = [];
  let [removed, added, same] = ["", "", ""];
  const end = (): void => {
    // White space that ends both parts is unchanged and belongs to the part that follows.
    const gap = commonGap(removed, added);
    const [gone, come] = [removed, added].map((text) => text.slice(0, text.length - gap.length));
    if ((gone || come) && same) all.push({ kind: "same", text: same });
    if (gone) all.push({ kind: "removed", text: gone });
    if (come) all.push({ kind: "added", text: come });
    same = gone || come ? gap : same + gap;
    [removed, added] = ["", ""];
  };
  for (const { kind, text } of parts) {
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else {
      if (removed || added) end();
      same += text;
    }
  }
  end();
  if (same) all.push({ kind: "same", text: same });
  return all;
}

function commonGap(one: string, other: string): string {
  const [gap, counterpart] = [one, other].map((text) => text.slice(text.trimEnd().length));
  if (gap === undefined || counterpart === undefined) return "";
  const shorter = gap.length < counterpart.length ? gap : counterpart;
  return gap.endsWith(shorter) && counterpart.endsWith(shorter) ? shorter : "";
}

/** In UTF-16 code units: of the words of one change, and of a value that is shown whole. */
const longest = { words: 60, value: 140 } as const;

/** How many changes of one text or list are named; the others are counted. */
const maxNamed = 4;

/**
 * How a JSON value changed, as the end of a sentence: `was 1 and is 2`. Of a text it names the
 * words, as in `gained "spam"`, and of a list the items. `undefined` means that there is none.
 */
export function changeInWords(was: unknown, now: unknown): string {
  if (was === undefined) return `is new (${shown(now)})`;
  if (now === undefined) return `is gone (${shown(was)})`;
  const whole = `was ${shown(was)} and is ${shown(now)}`;
  if (isProse(was) && isProse(now)) return listed(wordChanges(was, now), "differs in white space");
  return isList(was) && isList(now) ? listed(itemChanges(was, now), whole) : whole;
}

function wordChanges(was: string, now: string): readonly string[] {
  const parts = wordDiff(was, now).filter(({ kind, text }) => kind === "same" || text.trim());
  return parts.flatMap(({ kind, text }, index) => {
    const [previous, next] = [parts[index - 1], parts[index + 1]];
    if (kind === "same" || (kind === "added" && previous?.kind === "removed")) return [];
    if (kind === "added") return [`gained ${quoted(text)}`];
    if (next?.kind !== "added") return [`lost ${quoted(text)}`];
    return [`has ${quoted(next.text)} instead of ${quoted(text)}`];
  });
}

function itemChanges(was: readonly unknown[], now: readonly unknown[]): readonly string[] {
  return [
    ...now.filter((item) => !was.includes(item)).map((item) => `gained ${shown(item)}`),
    ...was.filter((item) => !now.includes(item)).map((item) => `lost ${shown(item)}`),
  ];
}

function listed(changes: readonly string[], otherwise: string): string {
  if (changes.length === 0) return otherwise;
  const left = changes.length - maxNamed;
  return [...changes.slice(0, maxNamed), ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
}

/** A text of more than one word: of a single one no words can be told apart. */
function isProse(value: unknown): value is string {
  return typeof value === "string" && /\S\s+\S/.test(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
}

function quoted(text: string): string {
  return JSON.stringify(excerpt(text.trim(), longest.words));
}

function shown(value: unknown): string {
  return excerpt(JSON.stringify(value), longest.value);
}
