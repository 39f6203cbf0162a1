import type { Call, InputOf, PredictorOptions, RankedPassage, Text } from "espalier";
import { predict, rankedPassages, text } from "espalier";
import { varyQuery, writeCitedAnswer } from "../../signatures/index.ts";
import { documentsText } from "./documents.ts";
import type { SearchParts } from "./find-documents.ts";

export type Sampling = PredictorOptions["sampling"];

/** The components of both pipelines. */
export interface AnsweringParts extends SearchParts {
  /**
   * How far the searched index reaches in time, for the answer: the authors say "December 2024" of
   * theirs. @default nothing is said
   */
  readonly knowledgeCutoff?: Text<"cutoff">;
  /** Of every step that writes. @default temperature 0.6, top-p 0.95, at most 4,096 tokens */
  readonly sampling?: Sampling;
}

/**
 * The developers' recommendation for Qwen3 (section 3); the cap is that of the authors' code. Their
 * agent gives its answer what the prompt leaves of the context but 1,000 tokens, from some 3,000 to
 * over 20,000. A predictor here is sampled the same in every call, so that a budget can be held to
 * and a candidate compared: the answer has the 4,096 that `contextBudget` sets apart for it, and
 * always fits.
 */
export const authorsSampling = { temperature: 0.6, topP: 0.95, maxCompletionTokens: 4_096 };

export const answerInput = {
  question: text("question", "The user's question."),
  /** Volatile, so that it is an input: a program gives the same for the same. */
  currentTime: text("time", "The time now, in UTC, for the answer.").optional(),
};

export const answerOutput = {
  answer: text("answer", "The answer, with the numbers of its documents in brackets."),
  citations: rankedPassages("All documents that the answer was written from; [1] is the first."),
};

/** The predictors that both pipelines have. */
export function answeringPredictors(sampling: Sampling = authorsSampling) {
  return {
    varyQuery: predict(varyQuery, { sampling, thinking: true }),
    writeCitedAnswer: predict(writeCitedAnswer, { sampling, thinking: true }),
  };
}

type AnswerCall = Pick<
  Call<ReturnType<typeof answeringPredictors>, Record<never, never>>,
  "predictors" | "step"
>;

export interface CitedAnswer {
  readonly answer: Text<"answer">;
  readonly citations: readonly RankedPassage[];
}

/**
 * Writes the answer from what was found, also when that is nothing: the generator then says that it
 * does not know enough. Citations are all documents of the context, cited or not (the authors'
 * code). A failing generator fails the run: the authors return a canned sentence instead, which
 * here would be scored as an answer, so it is left to the server.
 */
export async function writeAnswer(
  { question, currentTime }: InputOf<typeof answerInput>,
  documents: readonly RankedPassage[],
  call: AnswerCall,
  { knowledgeCutoff }: Pick<AnsweringParts, "knowledgeCutoff">,
): Promise<CitedAnswer> {
  call.step(`Writing the answer from ${documents.length} documents\n`);
  const { answer } = await call.predictors.writeCitedAnswer(
    {
      documents: documentsText(documents),
      question,
      ...(knowledgeCutoff === undefined ? {} : { knowledgeCutoff }),
      ...(currentTime === undefined ? {} : { currentTime }),
    },
    { stream: "answer" },
  );
  return { answer, citations: documents };
}
