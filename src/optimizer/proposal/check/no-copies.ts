import { once, oncePer } from "../../../internal/index.ts";
import type { ReflectiveCase } from "../case/reflective-cases.ts";
import type { Checked, ProposalCheck } from "./proposal-check.ts";
import { quotedIn } from "./quoted-in.ts";
import { sentencesOf, textsIn } from "../text/plain-text.ts";

/** Longest run of words that may be quoted, plus one. */
const longestRun = 12;
/** A whole sentence, field or label of at least this many words must not be quoted. */
const minWhole = 6;

/**
 * The rule against copies: what feedback states as a rule may be learnt, word for word; what
 * belongs to single examples or to passages may not, since it cannot help on other examples, and
 * leaks answers into prompts. Rejects a text that holds
 *
 * - a run of twelve words of an example's data;
 * - a whole sentence, field or label in it of six words or more;
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
export function noCopies(): ProposalCheck {
  const read = wordReader();
  return {
    name: "no-copies",
    check: (text, given) => {
      const proposed = wordsOf(text);
      // Most texts hold nothing that would have to be free.
      const free = once(() => freeWording(given, read));
      const isFree = (words: string): boolean => free()(words);
      const data = dataOf(given, read);
      const runs = once(() => new Set(data.flatMap((one) => [...runsOf(wordsOf(one))])));
      const inFull = spaced(proposed);
      const isCopied = (one: string): boolean => holds(inFull, one) && !isFree(one);
      const copied =
        [...runsOf(proposed)].find((run) => runs().has(run) && !isFree(run)) ??
        data.flatMap(read.wholes).find(isCopied) ??
        namedLabels(given, read).find(isCopied);
      return copied === undefined
        ? null
        : {
            reason: "copies-examples",
            detail: `The proposed text copies from an example: "${copied}". State the rule in general words, without it.`,
          };
    },
  };
}

/** Whether a text, as `spaced` words, has these words one after the other. */
function holds(text: string, words: string): boolean {
  return text.includes(` ${words} `);
}

/** Whether the program says these words already, or the feedback on every example does. */
function freeWording(
  { current, known, cases }: Checked,
  { spaced }: WordReader,
): (words: string) => boolean {
  const said = [current, ...known].map(spaced);
  const feedbacks = [...Map.groupBy(cases, ({ exampleId }) => exampleId).values()].map((ofOne) =>
    ofOne.map(({ feedback }) => spaced(feedback)).join("|"),
  );
  return (words) =>
    said.some((text) => holds(text, words)) ||
    (feedbacks.length > 1 && feedbacks.every((text) => holds(text, words)));
}

/** Everything that belongs to the examples shown, text by text. */
function dataOf({ cases, labels = [] }: Checked, read: WordReader): readonly string[] {
  const isCommon = writtenForSeveral(cases, read);
  return [
    ...labels,
    ...cases.flatMap((one) => {
      const { inputs, outputs, rest } = partsOf(one);
      return [
        ...inputs,
        ...outputs.map((sentences) => sentences.filter((each) => !isCommon(each)).join("\n")),
        ...rest,
      ];
    }),
  ];
}

/** The texts of a case: it is shown again and again. */
const partsOf = oncePer(
  ({ inputs, outputs, rawText, tools = [], feedback, after }: ReflectiveCase) => ({
    inputs: textsIn(inputs),
    /** The sentences of each. */
    outputs: textsIn(outputs).map(sentencesOf),
    rest: [
      ...(outputs === null && rawText !== null ? [rawText] : []),
      ...tools.map(({ result }) => result),
      ...quotedIn(feedback),
      after,
    ],
  }),
);

/** Whether the calls of several examples wrote a sentence that their inputs do not hold. */
function writtenForSeveral(
  cases: readonly ReflectiveCase[],
  { spaced }: WordReader,
): (sentence: string) => boolean {
  const given = once(() => cases.flatMap((one) => partsOf(one).inputs.map(spaced)));
  const examplesOf = new Map<string, Set<string>>();
  for (const one of cases) {
    for (const sentence of partsOf(one).outputs.flat()) {
      const words = spaced(sentence);
      examplesOf.set(words, (examplesOf.get(words) ?? new Set()).add(one.exampleId));
    }
  }
  return (sentence) => {
    const words = spaced(sentence);
    const isShared = (examplesOf.get(words)?.size ?? 0) > 1;
    return isShared && !given().some((text) => text.includes(words));
  };
}

/** Labels that are names, dates or numbers of several words, where the feedback names them. */
function namedLabels({ cases, labels = [] }: Checked, { spaced }: WordReader): readonly string[] {
  return labels
    .filter(isName)
    .map((label) => wordsOf(label).join(" "))
    .filter(
      (words) =>
        words.includes(" ") && cases.some(({ feedback }) => holds(spaced(feedback), words)),
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

function runsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(0, words.length - longestRun + 1) }, (_, start) =>
      words.slice(start, start + longestRun).join(" "),
    ),
  );
}

/** Reads texts as words, and remembers them for a while: most are read again soon. */
interface WordReader {
  /** `spaced` words of a text. */
  readonly spaced: (text: string) => string;
  /** The whole text and its sentences, as words, without those of too few words. */
  readonly wholes: (text: string) => readonly string[];
}

function wordReader(): WordReader {
  return {
    spaced: remembered((text) => spaced(wordsOf(text))),
    wholes: remembered((text) =>
      [text, ...sentencesOf(text)]
        .map(wordsOf)
        .filter(({ length }) => length >= minWhole)
        .map((words) => words.join(" ")),
    ),
  };
}

/** Remembers the results for the last texts, of a million characters at most, twice. */
function remembered<TResult>(read: (text: string) => TResult): (text: string) => TResult {
  let [recent, earlier] = [new Map<string, TResult>(), new Map<string, TResult>()];
  let left = maxRemembered;
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const result = earlier.get(text) ?? read(text);
    left -= text.length;
    if (left < 0) [recent, earlier, left] = [new Map(), recent, maxRemembered];
    recent.set(text, result);
    return result;
  };
}

/** In UTF-16 code units. */
const maxRemembered = 1e6;

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

/** Words with a space around each, so that a search for some finds whole words alone. */
function spaced(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}
