import type { ReflectiveCase } from "../lesson/reflective-cases.ts";
import { once } from "../../../internal/index.ts";
import { checkCount } from "../strategy/check-range.ts";
import type { Checked, ProposalCheck } from "../strategy/proposal-check.ts";
import { sentencesOf } from "../text/sentences-of.ts";
import { textsIn } from "../text/texts-in.ts";
import { quotedIn } from "./quoted-in.ts";

export interface NoCopiesOptions {
  /** Longest run of words that may be quoted, plus one. @default 12 */
  readonly words?: number;
  /** A whole sentence, field or label of at least this many words must not be quoted. @default 6 */
  readonly whole?: number;
}

/**
 * The rule against copies: what feedback states as a rule may be learnt, word for word; what
 * belongs to single examples or to passages may not, since it cannot help on other examples, and
 * leaks answers into prompts. Rejects a text that holds
 *
 * - a run of `words` words of an example's data;
 * - a whole sentence, field or label in it of `whole` words or more;
 * - a label of two words or more that is a name, a date or a number, if the feedback names it and
 *   no other example has it.
 *
 * Data are the inputs and outputs of the calls shown, their unusable replies, what came after them,
 * the labels of their examples, and what feedback quotes: text in quotation marks, after a label
 * such as `Expected answer:`, or below one such as `Missing passages:`. The rest of the feedback is
 * the metric's or a person's own wording, and a rule. So is what the feedback on every example
 * shown repeats, if there are several. Also exempt are texts that the program already contains (the
 * current text, the other components, the field descriptions), and sentences that a step wrote for
 * several examples, such as the one with which it declines.
 *
 * Twelve lets names, titles and short facts pass, which an instruction may well teach, and blocks
 * sentences from passages. Of the 777 reference answers of MTRAG that have passages, 75 % share
 * twelve words with a passage of their own; with the other examples' passages an answer shares
 * twelve 0.1 times on average, hardly less often than sixteen, but six 0.8 times and four 17 times.
 */
export function noCopies({ words = 12, whole = 6 }: NoCopiesOptions = {}): ProposalCheck {
  checkCount("words", words);
  checkCount("whole", whole);
  return {
    name: "no-copies",
    settings: { words, whole },
    check: (text, given) => {
      const proposed = wordsOf(text);
      // Most texts hold nothing that would have to be free.
      const free = once(() => freeWording(given));
      const isFree = (words: string): boolean => free()(words);
      const data = dataOf(given);
      const runs = once(() => new Set(data.flatMap((one) => [...runsOf(wordsOf(one), words)])));
      const copied =
        [...runsOf(proposed, words)].find((run) => runs().has(run) && !isFree(run)) ??
        wholesOf(data, whole)
          .union(namedLabels(given))
          .values()
          .find((one) => spaced(proposed).includes(` ${one} `) && !isFree(one));
      return copied === undefined
        ? null
        : {
            reason: "copies-examples",
            detail: `The proposed text copies from an example: "${copied}". State the rule in general words, without it.`,
          };
    },
  };
}

/** Whether the program says these words already, or the feedback on every example does. */
function freeWording({ current, known, cases }: Checked): (words: string) => boolean {
  const said = [current, ...known].map((one) => spaced(wordsOf(one)));
  const feedbacks = [...Map.groupBy(cases, ({ exampleId }) => exampleId).values()].map((ofOne) =>
    ofOne.map(({ feedback }) => spaced(wordsOf(feedback))).join("|"),
  );
  const holds = (words: string) => (text: string) => text.includes(` ${words} `);
  return (words) =>
    said.some(holds(words)) || (feedbacks.length > 1 && feedbacks.every(holds(words)));
}

/** Everything that belongs to the examples shown, text by text. */
function dataOf({ cases, labels = [] }: Checked): readonly string[] {
  const isCommon = writtenForSeveral(cases);
  return [
    ...labels,
    ...cases.flatMap(({ inputs, outputs, rawText, tools = [], feedback, after }) => [
      ...textsIn(inputs),
      ...textsIn(outputs).map((text) =>
        sentencesOf(text)
          .filter((one) => !isCommon(one))
          .join("\n"),
      ),
      ...(outputs === null && rawText !== null ? [rawText] : []),
      ...tools.map(({ result }) => result),
      ...quotedIn(feedback),
      after,
    ]),
  ];
}

/** Whether the calls of several examples wrote a sentence that their inputs do not hold. */
function writtenForSeveral(cases: readonly ReflectiveCase[]): (sentence: string) => boolean {
  const given = cases.flatMap(({ inputs }) => textsIn(inputs).map((one) => spaced(wordsOf(one))));
  const examplesOf = new Map<string, Set<string>>();
  for (const { exampleId, outputs } of cases) {
    for (const sentence of textsIn(outputs).flatMap(sentencesOf)) {
      const words = spaced(wordsOf(sentence));
      examplesOf.set(words, (examplesOf.get(words) ?? new Set()).add(exampleId));
    }
  }
  return (sentence) => {
    const words = spaced(wordsOf(sentence));
    const isShared = (examplesOf.get(words)?.size ?? 0) > 1;
    return isShared && !given.some((text) => text.includes(words));
  };
}

/** Whole texts and their sentences, of at least so many words. */
function wholesOf(data: readonly string[], least: number): ReadonlySet<string> {
  return new Set(
    data
      .flatMap((text) => [text, ...sentencesOf(text)])
      .map(wordsOf)
      .filter(({ length }) => length >= least)
      .map((words) => words.join(" ")),
  );
}

/** Labels that are names, dates or numbers of several words, where the feedback names them. */
function namedLabels({ cases, labels = [] }: Checked): ReadonlySet<string> {
  const feedback = cases.map((one) => spaced(wordsOf(one.feedback))).join("|");
  return new Set(
    labels
      .filter(isName)
      .map((label) => wordsOf(label).join(" "))
      .filter((words) => words.includes(" ") && feedback.includes(` ${words} `)),
  );
}

/** Capitals or digits throughout, except in small words, as in "Bay of Velsel". */
function isName(label: string): boolean {
  const words = label.trim().split(/\s+/);
  const begins = (word: string | undefined): boolean => /^\P{L}*[\p{Lu}\p{N}]/u.test(word ?? "");
  return (
    begins(words[0]) &&
    begins(words.at(-1)) &&
    words.every((word) => begins(word) || word.length <= 3)
  );
}

/** Scripts without word separators: each character counts as a word. */
const wordPattern = once(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu,
);

function wordsOf(text: string): readonly string[] {
  const lower = text.normalize("NFKC").toLowerCase();
  // The same words, at a fraction of the time.
  const isAscii = !/[^\0-\x7f]/.test(lower);
  return lower.match(isAscii ? /[a-z0-9]+/g : wordPattern()) ?? [];
}

function spaced(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}

function runsOf(words: readonly string[], length: number): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(0, words.length - length + 1) }, (_, start) =>
      words.slice(start, start + length).join(" "),
    ),
  );
}
