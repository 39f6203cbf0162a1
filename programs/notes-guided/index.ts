import { program, rankedPassages, text } from "espalier";
import { z } from "zod";
import { answer, answerModules, answerabilityLabels, weighedRouting } from "./answer.ts";
import type { NotesGuidedParts } from "./retrieval-modules.ts";
import { notesGuidedInput, retrievalModules } from "./retrieval-modules.ts";
import { retrieve } from "./retrieval.ts";

export type { RecallLabels } from "./recall-with-feedback.ts";
export { recallWithFeedback } from "./recall-with-feedback.ts";
export type { NotesGuidedParts } from "./retrieval-modules.ts";
export { notesGuidedRetrieval } from "./retrieval.ts";

export interface AnsweringParts extends NotesGuidedParts {
  /**
   * What chooses the generator: the label that the classifier wrote, or the likeliest label after
   * its weight (`partialWeight`, `unanswerableWeight`). @default "label", as the authors
   */
  readonly routing?: "label" | "weighed";
}

/**
 * The complete notes-guided multi-turn RAG (NLP-CEIA-UFG, SemEval-2026 Task 8): retrieval in
 * rounds, a judgement whether the results answer the question, and one of three generators. Without
 * passages the question counts as unanswerable, and the classifier is not asked.
 */
export function notesGuided({ sampling, routing = "label", ...parts }: AnsweringParts) {
  const retrieval = retrievalModules(sampling);
  // A predictor that asks for probabilities makes other requests, and artifacts know parameters.
  const weighed: Partial<typeof weighedRouting> = routing === "weighed" ? weighedRouting : {};
  return program({
    name: "notes-guided",
    version: "2",
    input: notesGuidedInput,
    output: {
      answer: text("answer"),
      label: z.enum(answerabilityLabels),
      passages: rankedPassages(),
    },
    predictors: {
      ...retrieval.predictors,
      ...answerModules.predictors,
      ...(weighed.predictors as Record<never, never>),
    },
    parameters: {
      ...retrieval.parameters,
      ...answerModules.parameters,
      ...(weighed.parameters as Record<never, never>),
    },
    forward: async (given, call) => {
      const passages = await retrieve(given, call, parts);
      return { ...(await answer(given, passages, call)), passages };
    },
  });
}
