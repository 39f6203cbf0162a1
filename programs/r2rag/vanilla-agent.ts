import type { Tokenizer } from "espalier";
import { int, predict, program } from "espalier";
import { reformulateQuery, reviewDocuments, varyQuery } from "../../signatures/index.ts";
import type { AnsweringParts, Sampling } from "./answering.ts";
import {
  answerInput,
  answeringPredictors,
  answerOutput,
  authorsSampling,
  writeAnswer,
} from "./answering.ts";
import type { ContextOptions } from "./context-budget.ts";
import { contextBudget } from "./context-budget.ts";
import { searchParameters } from "./find-documents.ts";
import type { ResearchParts } from "./research.ts";
import { research } from "./research.ts";

export interface VanillaAgentParts extends AnsweringParts, ContextOptions {
  /** Of the model that reviews and answers: `connectTokenizer`, or `estimatingTokenizer`. */
  readonly tokenizer: Tokenizer;
}

/** The predictors and numbers of Vanilla Agent, for the programs that contain it. */
export function vanillaAgentModules({
  sampling = authorsSampling,
  ...context
}: { readonly sampling?: Sampling } & ContextOptions) {
  const { contextTokens } = contextBudget(context);
  return {
    predictors: {
      ...answeringPredictors(sampling),
      /** Until a round finds nothing. */
      varyQueryAtOnce: predict(varyQuery, { sampling, thinking: false }),
      reviewDocuments: predict(reviewDocuments, { sampling, thinking: true }),
      reformulateQuery: predict(reformulateQuery, { sampling, thinking: true }),
    },
    parameters: {
      ...searchParameters,
      /** Most query variants in a round. */
      agentVariants: int({ default: 5, min: 2, max: 10 }),
      /** Most rounds of search. */
      rounds: int({ default: 5, min: 1, max: 20 }),
      /** Tokens of documents kept above which no further round begins: 20,000 of 25,000. */
      stopTokens: int({ default: Math.round(0.8 * contextTokens), min: 1, max: contextTokens }),
    },
  } as const;
}

export type VanillaAgentModules = ReturnType<typeof vanillaAgentModules>;

/** What the loop works with, of the parts that a program is made with. */
export function researchParts(parts: VanillaAgentParts): ResearchParts {
  const reviewer = predict(reviewDocuments);
  return {
    ...parts,
    budget: contextBudget(parts),
    // Without the changes of a candidate: an instruction that grew is what `reservedTokens` is for.
    reviewPrompt: (inputs) => reviewer.render({ ...inputs, documents: "" }),
  };
}

/**
 * Vanilla Agent (RMIT-ADM+S, MMU-RAG 2025, section 3.3): rounds of search with five query variants,
 * in each of which a review keeps the documents that are useful and says what is missing, and an
 * answer with citations from all that was kept.
 */
export function vanillaAgent(parts: VanillaAgentParts) {
  const inner = researchParts(parts);
  return program({
    name: "vanilla-agent",
    version: "1",
    input: answerInput,
    output: answerOutput,
    ...vanillaAgentModules(parts),
    forward: async (given, call) =>
      writeAnswer(given, await research(given, call, inner), call, inner),
  });
}
