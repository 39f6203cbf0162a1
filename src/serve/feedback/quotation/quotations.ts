import type { Turn } from "../../../contract/index.ts";
import type { NearText, Steps } from "./is-near.ts";
import { isNear, nearText } from "./is-near.ts";
import { nearSentences } from "./near-sentences.ts";
import type { ComparedText, Sentence } from "./sentences.ts";
import { comparedText, longestSentences, sentenceHash } from "./sentences.ts";

/** A question and its answer. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** Records that a conversation quotes an exchange. */
export interface Quotation<TExchange extends Exchange> {
  readonly exchange: TExchange;
  /** Hashes of the sentences that show it, in their quoted form. */
  readonly evidence: readonly number[];
  /** Distinct words in these sentences. */
  readonly distinctWords: number;
}

/**
 * Finds the exchanges that a conversation quotes. A sentence of five distinct words or more proves
 * a quotation by itself, even if slightly edited, unless it is common. Shorter sentences prove it
 * only as a pair: question and answer side by side, or a unique answer at the beginning, where a
 * window cut its question off. Edited text is found as far as the steps allow, turn by turn;
 * identical text is always found.
 *
 * @param countOthers in how many conversations besides an exchange's own the sentence of a hash
 *   was said
 */
export function quotations<TExchange extends Exchange>(
  exchanges: readonly TExchange[],
  countOthers: (hash: number) => number,
): (turns: readonly Turn[], steps: Steps) => readonly Quotation<TExchange>[] {
  const known = exchanges.map((exchange) => ({
    exchange,
    question: saidText(exchange.question),
    answer: saidText(exchange.answer),
  }));
  const bySentence = new Map<string, Set<(typeof known)[number]>>();
  const longOnes = new Map<string, Sentence>();
  for (const each of known) {
    for (const sentence of [...each.question.sentences, ...each.answer.sentences]) {
      const saying = bySentence.get(sentence.text) ?? new Set();
      bySentence.set(sentence.text, saying.add(each));
      if (isLong(sentence)) longOnes.set(sentence.text, sentence);
    }
  }
  const near = nearSentences([...longOnes.keys()]);
  const others = new Map<string, number>();
  const othersOf = ({ text }: Sentence): number => {
    const count = others.get(text) ?? countOthers(sentenceHash(text));
    others.set(text, count);
    return count;
  };
  const isCommon = (text: ComparedText): boolean =>
    text.sentences.every((sentence) => othersOf(sentence) > mostOthers);

  const shortEvidence = (
    { question, answer }: (typeof known)[number],
    runs: readonly Run[],
    steps: Steps,
  ): readonly Sentence[] => {
    const isSideBySide = runs.some((run, index) => {
      const next = runs[index + 1];
      if (run.speaker !== "user" || next === undefined) return false;
      const [asked, answered] = [agreement(run, question, steps), agreement(next, answer, steps)];
      if (asked === "none" || answered === "none") return false;
      return (
        (asked === "same" && !isCommon(question)) || (answered === "same" && !isCommon(answer))
      );
    });
    if (isSideBySide) return [...question.sentences, ...answer.sentences];
    const [first] = runs;
    const isCutOff =
      first?.speaker === "assistant" &&
      agreement(first, answer, steps) === "same" &&
      answer.sentences.some((each) => each.distinctWords > 1 && othersOf(each) === 0);
    return isCutOff ? answer.sentences : [];
  };

  return (turns, steps) => {
    const runs = runsOf(turns);
    const candidates = new Map<(typeof known)[number], Shown[]>();
    for (const sentence of new Set(runs.flatMap((run) => [...run.sentences.values()]))) {
      const said = isLong(sentence) ? near(sentence.text, steps) : [sentence.text];
      for (const text of said) {
        for (const each of bySentence.get(text) ?? []) {
          const evidence = candidates.get(each) ?? [];
          candidates.set(each, evidence);
          const long = longOnes.get(text);
          if (long && othersOf(long) <= mostOthers) evidence.push({ said: long, quoted: sentence });
        }
      }
    }
    return [...candidates].flatMap(([each, long]) => {
      const evidence =
        long.length > 0
          ? long
          : shortEvidence(each, runs, steps).map((said) => ({ said, quoted: said }));
      if (evidence.length === 0) return [];
      // The index holds only the sentences by which an exchange can be found.
      const indexed = new Set(
        [each.question, each.answer].flatMap((text) => longestSentences(text)).map(textOf),
      );
      const indexedEvidence = evidence.filter(({ said }) => indexed.has(said.text));
      return {
        exchange: each.exchange,
        evidence: (indexedEvidence.length > 0 ? indexedEvidence : evidence).map(({ quoted }) =>
          sentenceHash(quoted.text),
        ),
        distinctWords: evidence.reduce((sum, { said }) => sum + said.distinctWords, 0),
      };
    });
  };
}

/** Everything one speaker said until the other spoke, in any number of messages. */
interface Run {
  readonly speaker: Turn["speaker"];
  /** By text; `undefined` for a text that is near only to itself. */
  readonly wholes: ReadonlyMap<string, NearText | undefined>;
  readonly sentences: ReadonlyMap<string, Sentence>;
}

/** A question or an answer. */
interface SaidText extends ComparedText {
  /** `undefined` for a text that is near only to itself. */
  readonly near: NearText | undefined;
}

/** A sentence of an exchange, and its match in a conversation. */
interface Shown {
  readonly said: Sentence;
  readonly quoted: Sentence;
}

/** A sentence found in more other conversations than this does not reveal its source. */
const mostOthers = 2;

function textOf({ text }: Sentence): string {
  return text;
}

function isLong({ distinctWords }: Sentence): boolean {
  return distinctWords >= 5;
}

function runsOf(turns: readonly Turn[]): readonly Run[] {
  const grouped: { readonly speaker: Turn["speaker"]; readonly texts: string[] }[] = [];
  for (const { speaker, text } of turns) {
    const last = grouped.at(-1);
    if (last?.speaker === speaker) last.texts.push(text);
    else grouped.push({ speaker, texts: [text] });
  }
  return grouped.map(({ speaker, texts }) => {
    // A message may have been cut between sentences, or within a word.
    const variants = texts.length === 1 ? texts : [texts.join("\n"), texts.join("")];
    const compared = variants.map((text) => comparedText(text));
    return {
      speaker,
      wholes: new Map(compared.map(({ whole }) => [whole, nearText(whole)])),
      sentences: new Map(
        compared.flatMap(({ sentences }) => sentences.map((each) => [each.text, each])),
      ),
    };
  });
}

function saidText(text: string): SaidText {
  const compared = comparedText(text);
  return { ...compared, near: nearText(compared.whole) };
}

function agreement(
  run: Run,
  { whole, sentences, near }: SaidText,
  steps: Steps,
): "same" | "near" | "none" {
  if (run.wholes.has(whole)) return "same";
  if (sentences.length > 0 && sentences.every(({ text }) => run.sentences.has(text))) return "same";
  if (near === undefined) return "none";
  const isAnyNear = [...run.wholes.values()].some(
    (each) => each !== undefined && steps.left > 0 && isNear(each, near, steps),
  );
  return isAnyNear ? "near" : "none";
}
