import type { Call, InputOf, PredictorOptions, RankedPassage, Text } from "espalier";
import { predict, rankedPassages, text } from "espalier";
import { varyQuery, writeCitedAnswer } from "../../signatures/index.ts";
import { documentsText } from "./documents.ts";
import type { SearchParts } from "./find-documents.ts";

export type Sampling = PredictorOptions["sampling"];

/** The components of both pipelines. */
export interface AnsweringParts extends SearchParts {
  /**
   * How far the searched index reaches in time, for the answer; the authors state "December 2024"
   * for theirs. @default none is stated
   */
  readonly knowledgeCutoff?: Text<"cutoff">;
  /** For every step that writes. @default temperature 0.6, top-p 0.95, at most 4,096 tokens */
  readonly sampling?: Sampling;
}

/**
 * The developers' recommendation for Qwen3 (section 3), with the token limit of the authors' code.
 * Their agent gives the answer whatever the prompt leaves of the context minus 1,000 tokens, from
 * about 3,000 to over 20,000. Here a predictor has the same sampling in every call, so that budgets
 * hold and candidates are comparable: the answer gets the 4,096 tokens that `contextBudget`
 * reserves, and always fits.
 */
export const authorsSampling = { temperature: 0.6, topP: 0.95, maxCompletionTokens: 4_096 };

export const answerInput = {
  question: text("question", "The user's question."),
  /** Volatile, therefore an input: a program returns the same result for the same inputs. */
  currentTime: text("time", "The time now, in UTC, for the answer.").optional(),
};

export const answerOutput = {
  answer: text("answer", "The answer, with the numbers of its documents in brackets."),
  citations: rankedPassages("All documents that the answer was written from; [1] is the first."),
};

/** The predictors shared by both pipelines. */
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
 * Writes the answer from what was found, even if that is nothing: the generator then says that it
 * does not know enough. The citations are all documents of the context, cited or not (the authors'
 * code). A failing generator fails the run: the authors return a canned sentence instead, which
 * would be scored here as an answer, so that is left to the server.
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
