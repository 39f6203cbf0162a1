import type { Call } from "espalier";
import { choice, int, predict, real } from "espalier";
import {
  arbitrateVerdicts,
  checkHistory,
  expandQuestion,
  extractSpans,
  judgeAnswer,
  judgeAnswerability,
  judgeDocuments,
  judgeSpans,
  writeCandidateAnswer,
} from "../../../signatures/index.ts";
import { parsedOnce } from "../parsed-once.ts";

/**
 * The predictors of the answerability gate and its parameters, with the authors' values. The
 * authors ran all steps greedily on GPT-4o, and the single judge on DeepSeek-V3.2.
 */
export const gateModules = {
  predictors: {
    expandQuestion: predict(expandQuestion, parsedOnce(80)),
    checkHistory: predict(checkHistory, parsedOnce(150)),
    /** As `extractSpans` of Task B, but only for the gate. */
    findEvidence: predict(extractSpans, parsedOnce(800)),
    writeCandidateAnswer: predict(writeCandidateAnswer, parsedOnce(500)),
    judgeDocuments: predict(judgeDocuments, parsedOnce(500)),
    judgeSpans: predict(judgeSpans, parsedOnce(500)),
    judgeAnswer: predict(judgeAnswer, parsedOnce(500)),
    arbitrateVerdicts: predict(arbitrateVerdicts, parsedOnce(300)),
    judgeAnswerability: predict(judgeAnswerability, parsedOnce(150)),
  },
  parameters: {
    /** Three judges, the baselines with one (appendix D.3), or answering everything. */
    gate: choice(["three-judges", "single-judge", "none"]),
    /** Who weighs the three verdicts: a rule, as in the authors' code, or an LM (section 4). */
    arbiter: choice(["rule", "lm"]),
    /**
     * Passages that the gate and the answer see: 3 in appendix D.3 and the code; section 3 says 5.
     */
    contextPassages: int({ default: 3, min: 1, max: 10 }),
    /** Below this confidence, an UNANSWERABLE question is answered anyway. */
    refusalConfidence: real({ default: 0.7, min: 0, max: 1 }),

    /** Maximum number of words of a message that is expanded to a full question. */
    shortMessageWords: int({ default: 6, min: 0, max: 20 }),
    expansionTurns: int({ default: 5, min: 1, max: 20 }),
    /** A full question of fewer characters is dropped. */
    shortExpansionCharacters: int({ default: 5, min: 0, max: 40 }),
    /** Number of assistant replies that may already contain the answer. */
    historyReplies: int({ default: 4, min: 1, max: 20 }),
    historyConfidence: real({ default: 0.8, min: 0, max: 1 }),

    evidenceSpans: int({ default: 8, min: 1, max: 20 }),
    evidenceTurns: int({ default: 3, min: 0, max: 20 }),
    evidenceCharacters: int({ default: 3000, min: 100, max: 10_000 }),
    candidateCharacters: int({ default: 1500, min: 100, max: 10_000 }),
    documentCharacters: int({ default: 2000, min: 100, max: 10_000 }),
    /** Latest turns that the candidate answer and the judges see. */
    judgeTurns: int({ default: 4, min: 0, max: 20 }),

    /** Confidence of verdicts that a new name causes. */
    newEntityConfidence: real({ default: 0.9, min: 0, max: 1 }),
    /** Maximum number of words of a candidate answer that a refusal phrase turns into a refusal. */
    candidateRefusalLimit: int({ default: 40, min: 5, max: 100 }),
    /** Minimum confidence of the verdict on a candidate answer that only refuses. */
    refusedAnswerConfidence: real({ default: 0.85, min: 0, max: 1 }),
    /** Confidence if a judge's reply cannot be parsed. */
    defaultConfidence: real({ default: 0.5, min: 0, max: 1 }),

    overrideConfidence: real({ default: 0.92, min: 0, max: 1 }),
    overrideFactor: real({ default: 0.78, min: 0, max: 1 }),
    boostConfidence: real({ default: 0.9, min: 0, max: 1 }),
    boostWeight: real({ default: 1.5, min: 1, max: 3 }),
    answerableFactor: real({ default: 0.9, min: 0, max: 1 }),
    unanswerableFactor: real({ default: 0.85, min: 0, max: 1 }),
    tieFactor: real({ default: 0.8, min: 0, max: 1 }),

    /**
     * For the single judge: its turns, and the overlap from which it returns ANSWERABLE unasked.
     */
    singleJudgeTurns: int({ default: 2, min: 0, max: 20 }),
    keywordOverlap: real({ default: 0.4, min: 0, max: 1 }),
  },
} as const;

export type GateCall = Call<typeof gateModules.predictors, typeof gateModules.parameters>;
