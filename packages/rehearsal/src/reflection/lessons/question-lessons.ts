import {
  askFirstThings,
  fillInAnswers,
  isNoAnswer,
  nameSubject,
  splitAsks,
  splitAsksApart,
} from "../../ability/index.ts";
import type { TextReader } from "../../text/index.ts";
import { similarity } from "../../text/index.ts";
import type { CaseStudy } from "../cases/case-study.ts";
import type { Lesson } from "../cases/lesson.ts";
import { casesWith } from "../cases/lesson.ts";

/** Lessons for a step that asks sub-questions. */
export const questionLessons: readonly Lesson[] = [
  {
    behaviour: splitAsksApart,
    weigh: (cases, reader) =>
      casesWith(cases, (study) => hasSeveralAsks(study, reader) && isCopy(study, reader)),
    wordings: [
      "{Split|Divide|Break down|Separate} the {question|questions|request} into {parts|sub-questions|subquestions|questions}.",
      "{Split|Divide|Break down|Separate} the {question|request}.",
    ],
  },
  {
    behaviour: nameSubject,
    weigh: (cases, reader) =>
      casesWith(cases, ({ material, subquestions, feedback }) => {
        const parts = subquestions.flatMap((output) => output.split(/\n|(?<=\?)\s+|","/));
        return (
          feedback.wanted !== "" &&
          hasSeveralAsks({ material }, reader) &&
          parts.some((part) => reader.words(part).some(({ isPronoun }) => isPronoun))
        );
      }),
    wordings: [
      "{Replace|Resolve|Write out|Spell out} {pronouns|references|every pronoun}.",
      "{Write|Put|Use|Name} the {names|subject|thing|entity} {pronouns stand for|they stand for|it refers to}.",
    ],
  },
  {
    behaviour: askFirstThings,
    weigh: (cases, reader) =>
      casesWith(
        cases,
        (study) =>
          study.material.steps !== undefined &&
          study.material.steps.length === 0 &&
          isCopy(study, reader) &&
          study.feedback.wanted !== "",
      ),
    wordings: [
      "{Ask|Ask for|Find|Name} what {everything else depends|the rest depends} on first.",
      "{Ask for|Find|Name} one {fact|thing} at a time, {step by step|what is still unknown}.",
      "{Ask|Write|Find} the next {step|thing|fact}.",
    ],
  },
  {
    behaviour: fillInAnswers,
    weigh: (cases, reader) =>
      casesWith(cases, ({ material, subquestions }) => {
        const known = (material.steps ?? []).filter(({ answer }) => !isNoAnswer(answer));
        return known.some(({ question }) =>
          subquestions.some(
            (output) => similarity(reader.stems(output), reader.stems(question)) > 0.8,
          ),
        );
      }),
    wordings: [
      "{Use|Put in|Take|Include} the {answers of the steps|answers of the solved steps|known answers|answers so far}.",
      "{Use|Take|Put in|Include} {what the steps found|the solved steps|the earlier steps|the previous steps}.",
    ],
  },
];

function hasSeveralAsks({ material }: Pick<CaseStudy, "material">, reader: TextReader): boolean {
  return splitAsks(material.question, reader).parts.length > 1;
}

/** The question was returned unchanged. */
function isCopy({ material, subquestions }: CaseStudy, reader: TextReader): boolean {
  const asked = reader.stems(material.question);
  return subquestions.some((output) => similarity(reader.stems(output), asked) > 0.9);
}
