import { checkCount } from "../strategy/check-range.ts";
import type { ProposalCheck } from "../strategy/strategy.ts";
import type { ReflectiveCase } from "../lesson/reflective-cases.ts";
import { shownValue } from "../text/shown-value.ts";

export interface NoCopiesOptions {
  /** Longest run of words that may be quoted, plus one. @default 12 */
  readonly words?: number;
  /** A whole example field of at least this many words must not be quoted either. @default 7 */
  readonly wholeField?: number;
}

/**
 * Rejects a text that shares a run of `words` words, or a whole input or output of `wholeField`
 * words, with an example that was shown: copied content cannot help on other examples, and leaks
 * answers into prompts. Texts that the program already contains are exempt: the current text, the
 * other components and the field descriptions. So is feedback that is identical word for word on
 * every example shown, if there are several, since that is the metric's own wording.
 *
 * Twelve lets names, titles and short facts pass, which an instruction may well teach, and blocks
 * sentences from passages. Of the 777 reference answers of MTRAG that have passages, 75 % share
 * twelve words with a passage of their own; with the other examples' passages an answer shares
 * twelve 0.1 times on average, hardly less often than sixteen, but six 0.8 times and four 17 times.
 */
export function noCopies({ words = 12, wholeField = 7 }: NoCopiesOptions = {}): ProposalCheck {
  checkCount("words", words);
  checkCount("wholeField", wholeField);
  return {
    name: "no-copies",
    settings: { words, wholeField },
    check: (text, { current, cases, known }) => {
      const proposed = wordsOf(text);
      if (proposed.length < Math.min(words, wholeField)) return null;
      const free = [current, ...known].map(wordsOf);
      const freeRuns = new Set(free.flatMap((one) => [...runsOf(one, words)]));
      const common = runsInAllCases(cases, words);
      const isFree = (run: string): boolean => freeRuns.has(run) || common.has(run);
      const shown = new Set(shownTexts(cases).flatMap((one) => [...runsOf(wordsOf(one), words)]));
      const copied =
        [...runsOf(proposed, words)].find((run) => shown.has(run) && !isFree(run)) ??
        copiedField(proposed, { cases, free, least: wholeField });
      return copied === undefined
        ? null
        : {
            reason: "copies-examples",
            detail: `The proposed text copies from an example: "${copied}". State the rule in general words, without it.`,
          };
    },
  };
}

/** Finds a field that is quoted whole, word by word. */
function copiedField(
  proposed: readonly string[],
  {
    cases,
    free,
    least,
  }: {
    readonly cases: readonly ReflectiveCase[];
    readonly free: readonly (readonly string[])[];
    readonly least: number;
  },
): string | undefined {
  const spaced = (words: readonly string[]): string => ` ${words.join(" ")} `;
  const text = spaced(proposed);
  return cases
    .flatMap(({ inputs, outputs }) => [...Object.values(inputs), ...Object.values(outputs ?? {})])
    .map((value) => wordsOf(shownValue(value)))
    .filter(({ length }) => length >= least)
    .find(
      (field) =>
        text.includes(spaced(field)) && !free.some((one) => spaced(one).includes(spaced(field))),
    )
    ?.join(" ");
}

function shownTexts(cases: readonly ReflectiveCase[]): readonly string[] {
  return cases.flatMap(({ inputs, outputs, rawText, feedback, after }) => [
    ...Object.values(inputs).map(shownValue),
    ...Object.values(outputs ?? {}).map(shownValue),
    ...(outputs === null && rawText !== null ? [rawText] : []),
    feedback,
    after,
  ]);
}

/** Runs of words that occur in the feedback of every example. */
function runsInAllCases(cases: readonly ReflectiveCase[], length: number): ReadonlySet<string> {
  const byExample = [...Map.groupBy(cases, ({ exampleId }) => exampleId).values()];
  const [first, ...others] = byExample.map(
    (ofOne) => new Set(ofOne.flatMap(({ feedback }) => [...runsOf(wordsOf(feedback), length)])),
  );
  if (first === undefined || others.length === 0) return new Set();
  return others.reduce((all, next) => all.intersection(next), first);
}

/** Scripts without word separators: each character counts as a word. */
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu;

function wordsOf(text: string): readonly string[] {
  return text.normalize("NFKC").toLowerCase().match(wordPattern) ?? [];
}

function runsOf(words: readonly string[], length: number): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(0, words.length - length + 1) }, (_, start) =>
      words.slice(start, start + length).join(" "),
    ),
  );
}
