import { excerpt } from "../internal/index.ts";
import { wordDiff } from "./word-diff.ts";

/** In UTF-16 code units: of the words of one change, and of a value that is shown whole. */
const longest = { words: 60, value: 140 } as const;

/** How many changes of one text or list are named; the others are counted. */
const mostNamed = 4;

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
  return parts.flatMap(({ kind, text }, place) => {
    const [previous, next] = [parts[place - 1], parts[place + 1]];
    if (kind === "same" || (kind === "added" && previous?.kind === "removed")) return [];
    if (kind === "added") return [`gained ${quoted(text)}`];
    if (next?.kind !== "added") return [`lost ${quoted(text)}`];
    return [`has ${quoted(next.text)} in place of ${quoted(text)}`];
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
  const left = changes.length - mostNamed;
  return [...changes.slice(0, mostNamed), ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
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
