import type { Call, InputOf, RankedPassage, Text } from "espalier";
import { predict, program, rankedPassages, real, text } from "espalier";
import { z } from "zod";
import {
  askClarification,
  classifyAnswerability,
  writeCompleteAnswer,
  writePartialAnswer,
} from "../../signatures/index.ts";
import { cutText } from "./cut-text.ts";
import type { NotesGuidedParts } from "./retrieval.ts";
import { notesGuidedInput, retrievalModules, retrieve } from "./retrieval.ts";

export type { RecallLabels } from "./recall-with-feedback.ts";
export { recallWithFeedback } from "./recall-with-feedback.ts";
export type { NotesGuidedParts } from "./retrieval.ts";
export { notesGuidedRetrieval } from "./retrieval.ts";

/** As the authors ran their generators: Gemini 2.5 Flash at temperature 0.1. */
const generators = { temperature: 0.1, topP: 0.9, maxCompletionTokens: 1024 };
const classifier = { temperature: 0 };

const answerModules = {
  predictors: {
    classifyAnswerability: predict(classifyAnswerability, { sampling: classifier }),
    writeCompleteAnswer: predict(writeCompleteAnswer, { sampling: generators }),
    writePartialAnswer: predict(writePartialAnswer, { sampling: generators }),
    askClarification: predict(askClarification, { sampling: generators }),
  },
  parameters: {
    /** An UNANSWERABLE below this confidence is answered in part. Ours: the paper has none. */
    refusalConfidence: real({ default: 0, min: 0, max: 1 }),
  },
} as const;

type AnswerCall = Call<typeof answerModules.predictors, typeof answerModules.parameters>;

const labels = ["ANSWERABLE", "PARTIAL", "UNANSWERABLE"] as const;
type Label = (typeof labels)[number];

/**
 * Notes-guided multi-turn RAG (NLP-CEIA-UFG, SemEval-2026 Task 8), whole: retrieval in rounds, a
 * judgement whether what was found answers the question, and one of three generators. Without any
 * passage the question counts as unanswerable, and no classifier is asked.
 */
export function notesGuided({ sampling, ...parts }: NotesGuidedParts) {
  const retrieval = retrievalModules(sampling);
  return program({
    name: "notes-guided",
    version: "1",
    input: notesGuidedInput,
    output: {
      answer: text("answer"),
      label: z.enum(labels),
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

async function answer(
  { question, history }: InputOf<typeof notesGuidedInput>,
  passages: readonly RankedPassage[],
  { predictors, parameters }: AnswerCall,
): Promise<{ readonly answer: Text<"answer">; readonly label: Label }> {
  const label = await judge();
  if (label === "UNANSWERABLE") {
    const { answer: refusal } = await predictors.askClarification({
      question,
      history: history.slice(-3),
    });
    return { answer: refusal, label };
  }
  const evidence = passages.map((passage) => ({
    ...passage,
    text: cutText(passage.text, 800),
  }));
  const write =
    label === "ANSWERABLE" ? predictors.writeCompleteAnswer : predictors.writePartialAnswer;
  const made = await write({ question, history: history.slice(-5), passages: evidence });
  return { answer: made.answer, label };

  async function judge(): Promise<Label> {
    if (passages.length === 0) return "UNANSWERABLE";
    const best = passages
      .slice(0, 5)
      .map((passage) => ({ ...passage, text: cutText(passage.text, 500) }));
    const judged = await predictors.classifyAnswerability({ question, passages: best });
    const isUnsure = judged.confidence < parameters.refusalConfidence;
    return judged.label === "UNANSWERABLE" && isUnsure ? "PARTIAL" : judged.label;
  }
}
