import type { Call, InputOf } from "espalier";
import { int, program } from "espalier";
import type { AnsweringParts, CitedAnswer, Sampling } from "./answering.ts";
import { answerInput, answeringPredictors, answerOutput, writeAnswer } from "./answering.ts";
import { documentsWithin } from "./documents.ts";
import { findDocuments, searchParameters } from "./find-documents.ts";
import { wordCount } from "./words.ts";

/** The predictors and parameters of Vanilla RAG, for the programs that contain it. */
export function vanillaRagModules(sampling?: Sampling) {
  return {
    predictors: answeringPredictors(sampling),
    parameters: {
      ...searchParameters,
      /** Maximum query variants. */
      variants: int({ default: 3, min: 2, max: 10 }),
      /** Maximum words of the documents used for the answer. */
      wordBudget: int({ default: 5_000, min: 50, max: 100_000, isLogScale: true }),
    },
  } as const;
}

type VanillaRagModules = ReturnType<typeof vanillaRagModules>;
type VanillaRagCall = Call<VanillaRagModules["predictors"], VanillaRagModules["parameters"]>;

/**
 * Vanilla RAG (RMIT-ADM+S, MMU-RAG 2025, section 3.2): three query variants, written with thinking,
 * one search for each, one reranking, and an answer with citations.
 *
 * Where paper and code differ, the paper decides: the limit is 5,000 words (the code later counted
 * tokens), and documents are whole (it later searched chunks and fused ranks).
 */
export function vanillaRag({ sampling, ...parts }: AnsweringParts) {
  return program({
    name: "vanilla-rag",
    version: "1",
    input: answerInput,
    output: answerOutput,
    ...vanillaRagModules(sampling),
    forward: (given, call) => answerAtOnce(given, call, parts),
  });
}

export async function answerAtOnce(
  given: InputOf<typeof answerInput>,
  call: VanillaRagCall,
  parts: Omit<AnsweringParts, "sampling">,
): Promise<CitedAnswer> {
  const { variants, wordBudget } = call.parameters;
  // The question is the first query.
  const query: string = given.question;
  const vary = call.predictors.varyQuery;
  const relevant = await findDocuments({ query, count: variants, vary }, call, parts);
  const sizes = relevant.map(({ text }) => wordCount(text));
  return writeAnswer(given, documentsWithin(relevant, sizes, wordBudget), call, parts);
}
