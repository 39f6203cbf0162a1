import {
  admitMissing,
  bareAnswer,
  briefAnswer,
  citePassages,
  groundAnswer,
  isNoAnswer,
  refusalDegree,
  thoroughAnswer,
} from "../../ability/index.ts";
import type { CaseStudy } from "../cases/case-study.ts";
import type { Lesson } from "../cases/lesson.ts";
import { casesWith } from "../cases/lesson.ts";

const texts = "{passages|documents|sources|facts|texts|passage}";

/** Lessons for an answering step. */
export const answerLessons: readonly Lesson[] = [
  {
    behaviour: bareAnswer,
    weigh: (cases) =>
      casesWith(cases, ({ feedback, answers }) => {
        const last = answers.at(-1) ?? "";
        const accepted = feedback.wanted.split(/\s\|\s|\n/).map((text) => text.split(/\s+/).length);
        const length = Math.min(...accepted);
        return (
          feedback.wanted !== "" &&
          !isNoAnswer(last) &&
          length <= 6 &&
          last.split(/\s+/).length > 3 * length
        );
      }),
    wordings: [
      "{Give|Write|Return} {only the answer|only the name|a short phrase|short answer}.",
      "{Answer only|Name only}.",
    ],
  },
  {
    behaviour: briefAnswer,
    weigh: (cases) => casesWith(cases, remarked(/\btoo (?:long|wordy|verbose)\b|\bshorten\b/i)),
    wordings: [
      "{Be|Keep it|Make it} {brief|concise|short|succinct}.",
      "{Answer|Write|Reply} {briefly|concisely|short}.",
    ],
  },
  {
    behaviour: thoroughAnswer,
    weigh: (cases) =>
      casesWith(
        cases,
        remarked(/\btoo short\b|\bincomplete\b|\bnot complete\b|\bleaves? out\b|\bmore detail/i),
      ),
    wordings: [
      "{Be|Make it|Give} {thorough|complete|detailed|comprehensive|full} {answers|reply|answer}.",
      "{Answer|Write} {fully|thoroughly|in full}.",
    ],
  },
  {
    behaviour: citePassages,
    weigh: (cases) =>
      casesWith(
        cases,
        remarked(/\b(?:no|without|lacks?|missing|not|add|needs?)\b.{0,30}\bcit(?:e|ed|ation)/i),
      ),
    wordings: [
      `{Cite|Give citations of|Add citations of} the ${texts}.`,
      "{Add|Give|Write} {citations|citation|numbers in brackets}.",
    ],
  },
  {
    behaviour: groundAnswer,
    weigh: (cases) => casesWith(cases, refusedNeedlessly),
    wordings: [
      `{Answer|Write|Reply|Take it} from the ${texts}.`,
      `{Use|Read|Consult} the ${texts}.`,
    ],
  },
  {
    behaviour: admitMissing,
    weigh: (cases) =>
      casesWith(
        cases,
        ({ feedback, answers }) =>
          answers.length > 0 &&
          refusalDegree(answers.at(-1) ?? "") === 0 &&
          feedback.wanted !== "" &&
          refusalDegree(feedback.wanted) === 1,
      ),
    wordings: [
      "If it is {not found|missing|not enough|unknown|not answered}, {say so|say that|admit it}.",
      "{Say so|Admit it}.",
    ],
  },
];

/** It refused, although something was wanted and texts to take it from were available. */
function refusedNeedlessly({ feedback, answers, material }: CaseStudy): boolean {
  if (material.passages.length + material.texts.length === 0) return false;
  const last = answers.at(-1);
  const isRefusal = last !== undefined && refusalDegree(last) === 1;
  return isRefusal && feedback.wanted !== "" && refusalDegree(feedback.wanted) === 0;
}

function remarked(pattern: RegExp): (study: CaseStudy) => boolean {
  return ({ feedback, answers }) => answers.length > 0 && pattern.test(feedback.remarks);
}
