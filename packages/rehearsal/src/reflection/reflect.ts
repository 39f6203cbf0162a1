import type { RandomSource } from "../../../../src/contract/index.ts";
import type { ClauseReader } from "../steering/index.ts";
import { levelOf, stance } from "../steering/index.ts";
import type { TextReader } from "../text/index.ts";
import { sentences } from "../text/index.ts";
import { studyCases } from "./cases/case-study.ts";
import type { Lesson } from "./cases/lesson.ts";
import { lessons } from "./lessons/index.ts";
import { preferLabels } from "./prefer-labels.ts";
import { readRecords } from "./cases/read-records.ts";
import { isKnown, wordLesson } from "./word-lesson.ts";

export interface ReflectionArguments {
  /** The instruction to improve, verbatim. */
  readonly current: string;
  /** The worked cases with their feedback. */
  readonly cases: string;
  /** A rejected proposal, which is not made again. */
  readonly refused?: string;
  /** The whole prompt: every word must come from it. */
  readonly prompt: string;
  readonly reader: TextReader;
  readonly readClauses: ClauseReader;
  readonly random: RandomSource;
  /** 0 takes the best lessons; higher values draw lessons by weight. */
  readonly temperature: number;
}

/** Maximum sentences that one reflection adds. */
const maxAdded = 2;
/** Evidence required for a lesson after a better one was rejected; otherwise 1. */
const weakEvidence = 0.6;
/** An instruction with this many words is not extended. */
const maxWords = 500;

/**
 * Improves an instruction according to feedback. Keeps the text except for sentences that
 * contradict a lesson, and adds lessons that it does not follow yet, in words of the prompt. If the
 * feedback says nothing about it, the instruction is returned unchanged.
 */
export function reflect(given: ReflectionArguments): string {
  const { current, cases, prompt, reader, readClauses, refused = "" } = given;
  const studies = studyCases(readRecords(cases), reader);
  const vocabulary = new Set(reader.words(prompt).map(({ stem }) => stem));
  const present = readClauses(current);
  const isAgain = refused.trim() !== "";
  const found = lessons.flatMap((lesson) => {
    const evidence = lesson.weigh(studies, reader);
    if (evidence < (isAgain ? weakEvidence : 1)) return [];
    if (levelOf(lesson.behaviour, present) > 0.8) return [];
    const wording = expressed(lesson, vocabulary, given);
    return wording === undefined ? [] : [{ lesson, evidence, ...wording }];
  });
  // A rephrased lesson that was rejected is still the same lesson.
  const fresh = found.filter(({ isRefused }) => !isRefused);
  const chosen = draw(fresh.length > 0 ? fresh : found, given);
  const advice = studies
    .flatMap(({ feedback }) => feedback.advice)
    .filter((sentence) => !isSaid(sentence, given) && isKnown(sentence, vocabulary, reader));
  const preferred = preferLabels(studies, vocabulary, reader).filter(
    (sentence) => !isSaid(sentence, given),
  );
  const added = [...new Set([...chosen.map(({ sentence }) => sentence), ...preferred, ...advice])];
  const room = reader.words(current).length < maxWords ? maxAdded : 0;
  if (added.length === 0 || room === 0) return current;
  const kept = without(
    current,
    chosen.map(({ lesson }) => lesson),
    given,
  );
  return [kept, ...added.slice(0, room)].filter((line) => line !== "").join("\n");
}

/**
 * A phrasing whose words the prompt has and which reads as intended: the first one or, when sampled
 * after a rejection, any of them, with a preference for the first ones.
 */
function expressed(
  lesson: Lesson,
  vocabulary: ReadonlySet<string>,
  given: ReflectionArguments,
): { readonly sentence: string; readonly isRefused: boolean } | undefined {
  const { reader, readClauses, random, temperature, refused = "" } = given;
  const worded = lesson.wordings.flatMap((wording) => {
    const sentence = wordLesson(wording, vocabulary, reader);
    if (sentence === undefined) return [];
    return levelOf(lesson.behaviour, readClauses(sentence)) > 0.25 ? [sentence] : [];
  });
  const unsaid = worded.filter((sentence) => !isSaid(sentence, given));
  if (unsaid.length === 0) return undefined;
  const sentence =
    temperature === 0 || unsaid.length === 1 || refused.trim() === ""
      ? unsaid[0]
      : random.weighted(
          unsaid,
          unsaid.map((_, index) => 0.5 ** index),
        );
  const isRefused = worded.some((one) => refused.includes(one));
  return sentence === undefined ? undefined : { sentence, isRefused };
}

/** Already in the instruction, or tried without effect. */
function isSaid(
  sentence: string,
  { current, refused = "" }: Pick<ReflectionArguments, "current" | "refused">,
): boolean {
  return current.includes(sentence) || refused.includes(sentence);
}

function draw<TFound extends { readonly evidence: number }>(
  found: readonly TFound[],
  { random, temperature }: ReflectionArguments,
): readonly TFound[] {
  if (temperature === 0 || found.length <= 1) {
    return found.toSorted((left, right) => right.evidence - left.evidence).slice(0, maxAdded);
  }
  const count = 1 + random.below(maxAdded);
  const left = [...found];
  const drawn: TFound[] = [];
  while (drawn.length < count && left.length > 0) {
    const next = random.weighted(
      left,
      left.map(({ evidence }) => evidence ** (1 / Math.min(2, temperature))),
    );
    left.splice(left.indexOf(next), 1);
    drawn.push(next);
  }
  return drawn;
}

/** The instruction without the sentences that contradict a lesson. */
function without(
  current: string,
  learned: readonly Lesson[],
  { readClauses }: ReflectionArguments,
): string {
  const speaksAgainst = (sentence: string): boolean =>
    readClauses(sentence).some((clause) =>
      learned.some(({ behaviour }) => stance(behaviour, clause) < -0.5),
    );
  return current
    .split("\n")
    .map((line) => {
      const said = sentences(line);
      const kept = said.filter((sentence) => !speaksAgainst(sentence));
      return kept.length === said.length ? line : kept.join(" ");
    })
    .join("\n")
    .trim();
}
