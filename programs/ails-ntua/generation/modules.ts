import type { Call } from "espalier";
import { choice, int, predict, real } from "espalier";
import {
  adjustAnswer,
  declineToAnswer,
  extractSpans,
  insistOnAnswer,
  judgeGrounding,
  judgePreference,
  replyToRemark,
  writeGroundedAnswer,
} from "../../../signatures/index.ts";
import { parsedOnce } from "../parsed-once.ts";

const greedy = (maxCompletionTokens: number) => ({ temperature: 0, maxCompletionTokens });

/**
 * The predictors of Task B and its parameters, with the authors' values. They ran three models,
 * which a run assigns with `lms` by predictor name: DeepSeek-V3.2 for `extractSpans` and
 * `judgeGrounding`, GPT-4o for both writers, GPT-4o-mini for the others.
 */
export const generationModules = {
  predictors: {
    replyToRemark: predict(replyToRemark, {
      sampling: { temperature: 0.3, maxCompletionTokens: 100 },
    }),
    declineToAnswer: predict(declineToAnswer, { sampling: greedy(80) }),
    extractSpans: predict(extractSpans, parsedOnce(700)),
    writeAnswerA: predict(writeGroundedAnswer, { sampling: greedy(450) }),
    writeAnswerB: predict(writeGroundedAnswer, {
      sampling: { temperature: 0.1, maxCompletionTokens: 450 },
    }),
    insistOnAnswer: predict(insistOnAnswer, parsedOnce(400, { temperature: 0.2 })),
    judgeGrounding: predict(judgeGrounding, parsedOnce(150)),
    judgePreference: predict(judgePreference, parsedOnce(100)),
    adjustAnswer: predict(adjustAnswer, parsedOnce(350, { temperature: 0.1 })),
  },
  parameters: {
    /** Number of passages on which an answer is based. */
    answerPassages: int({ default: 5, min: 1, max: 10 }),
    /** Latest turns that the steps see, and those that the user judge sees. */
    answerTurns: int({ default: 4, min: 0, max: 20 }),
    preferenceTurns: int({ default: 3, min: 0, max: 20 }),
    replyWords: int({ default: 50, min: 10, max: 100 }),
    refusalWords: int({ default: 25, min: 10, max: 100 }),

    maxSpans: int({ default: 8, min: 1, max: 20 }),
    /** With fewer spans than this, the search is repeated. */
    minSpans: int({ default: 1, min: 1, max: 8 }),
    /** Number of passages that replace missing spans. */
    fallbackPassages: int({ default: 3, min: 1, max: 10 }),
    /** Spans, and characters of each, that the technical judge sees. */
    judgedSpans: int({ default: 5, min: 1, max: 20 }),
    judgedCharacters: int({ default: 120, min: 40, max: 1000 }),

    targetWords: int({ default: 90, min: 30, max: 200 }),
    /** Extra words per question type, in addition to `targetWords`. */
    keywordWords: int({ default: 0, min: -50, max: 50 }),
    howToWords: int({ default: 5, min: -50, max: 50 }),
    explanationWords: int({ default: 10, min: -50, max: 50 }),
    comparativeWords: int({ default: 5, min: -50, max: 50 }),
    summarizationWords: int({ default: 15, min: -50, max: 50 }),
    factoidWords: int({ default: -5, min: -50, max: 50 }),
    defaultWords: int({ default: 0, min: -50, max: 50 }),
    /** Maximum number of words of a question without "?" that counts as keywords. */
    keywordQuestionWords: int({ default: 3, min: 0, max: 10 }),
    /** See `questionType`: "word" reproduces the authors' measurements. */
    summaries: choice(["word", "stem"]),
    /** Maximum number of words of an answer that a refusal phrase turns into a refusal. */
    refusalLimit: int({ default: 35, min: 5, max: 100 }),

    userJudgeRate: real({ default: 0.6, min: 0, max: 1 }),
    technicalWeight: real({ default: 0.35, min: 0, max: 2 }),
    preferenceWeight: real({ default: 5, min: 0, max: 10 }),
    highConfidence: real({ default: 1, min: 0, max: 1 }),
    mediumConfidence: real({ default: 0.7, min: 0, max: 1 }),
    lowConfidence: real({ default: 0.4, min: 0, max: 1 }),
    priorOfA: real({ default: 2, min: 0, max: 10 }),
    forbiddenPenalty: real({ default: 2, min: 0, max: 10 }),

    lowExtractiveness: real({ default: 0.28, min: 0, max: 1 }),
    idealExtractiveness: real({ default: 0.38, min: 0, max: 1 }),
    highExtractiveness: real({ default: 0.5, min: 0, max: 1 }),
    belowBonus: real({ default: -1.5, min: -5, max: 5 }),
    idealBonus: real({ default: 2.5, min: -5, max: 5 }),
    acceptableBonus: real({ default: 1.5, min: -5, max: 5 }),
    aboveBonus: real({ default: 0.5, min: -5, max: 5 }),

    /** Answers with fewer or more words are adjusted. */
    shortAnswerWords: int({ default: 50, min: 0, max: 200 }),
    longAnswerWords: int({ default: 150, min: 50, max: 500 }),
    /** An adjusted answer with fewer words is dropped. */
    shortEditWords: int({ default: 30, min: 0, max: 200 }),
  },
} as const;

export type GenerationCall = Call<
  typeof generationModules.predictors,
  typeof generationModules.parameters
>;
