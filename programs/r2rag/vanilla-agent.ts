import type { Tokenizer } from "espalier";
import { predict, program } from "espalier";
import type { AnsweringParts } from "./answering.ts";
import { answerInput, answerOutput, writeAnswer } from "./answering.ts";
import type { ContextOptions } from "./context-budget.ts";
import { contextBudget } from "./context-budget.ts";
import type { ResearchParts } from "./research.ts";
import { research } from "./research.ts";
import type { SufficiencyOptions } from "./vanilla-agent-modules.ts";
import { reviewOf, vanillaAgentModules } from "./vanilla-agent-modules.ts";

export interface VanillaAgentParts extends AnsweringParts, ContextOptions, SufficiencyOptions {
  /**
   * Tokenizer of the model that reviews and answers: `connectTokenizer`, or `estimatingTokenizer`.
   */
  readonly tokenizer: Tokenizer;
}

/** The components of the loop, derived from the parts of the program. */
export function researchParts(parts: VanillaAgentParts): ResearchParts {
  const reviewer = predict(reviewOf(parts));
  return {
    ...parts,
    budget: contextBudget(parts),
    // Ignores a candidate's changes: `reservedTokens` covers an instruction that grew.
    reviewPrompt: (inputs) => reviewer.render({ ...inputs, documents: "" }),
  };
}

/**
 * Vanilla Agent (RMIT-ADM+S, MMU-RAG 2025, section 3.3): rounds of search with five query variants.
 * In each round a review keeps the useful documents and says what is missing; the answer cites from
 * everything kept.
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
