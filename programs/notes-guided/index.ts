import { program, rankedPassages, text } from "espalier";
import { z } from "zod";
import { answer, answerModules, answerabilityLabels } from "./answer.ts";
import type { NotesGuidedParts } from "./retrieval-modules.ts";
import { notesGuidedInput, retrievalModules } from "./retrieval-modules.ts";
import { retrieve } from "./retrieval.ts";

export type { RecallLabels } from "./recall-with-feedback.ts";
export { recallWithFeedback } from "./recall-with-feedback.ts";
export type { NotesGuidedParts } from "./retrieval-modules.ts";
export { notesGuidedRetrieval } from "./retrieval.ts";

/**
 * The complete notes-guided multi-turn RAG (NLP-CEIA-UFG, SemEval-2026 Task 8): retrieval in
 * rounds, a judgement whether the results answer the question, and one of three generators. Without
 * passages the question counts as unanswerable, and the classifier is not asked.
 */
export function notesGuided({ sampling, ...parts }: NotesGuidedParts) {
  const retrieval = retrievalModules(sampling);
  return program({
    name: "notes-guided",
    version: "2",
    input: notesGuidedInput,
    output: {
      answer: text("answer"),
      label: z.enum(answerabilityLabels),
      passages: rankedPassages(),
    },
    predictors: { ...retrieval.predictors, ...answerModules.predictors },
    parameters: { ...retrieval.parameters, ...answerModules.parameters },
    forward: async (given, call) => {
      const passages = await retrieve(given, call, parts);
      return { ...(await answer(given, passages, call)), passages };
    },
  });
}
