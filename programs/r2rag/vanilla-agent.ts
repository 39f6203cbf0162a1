import type { Tokenizer } from "espalier";
import { predict, program } from "espalier";
import { reviewDocuments } from "../../signatures/index.ts";
import type { AnsweringParts } from "./answering.ts";
import { answerInput, answerOutput, writeAnswer } from "./answering.ts";
import type { ContextOptions } from "./context-budget.ts";
import { contextBudget } from "./context-budget.ts";
import type { ResearchParts } from "./research.ts";
import { research } from "./research.ts";
import { vanillaAgentModules } from "./vanilla-agent-modules.ts";

export interface VanillaAgentParts extends AnsweringParts, ContextOptions {
  /** Of the model that reviews and answers: `connectTokenizer`, or `estimatingTokenizer`. */
  readonly tokenizer: Tokenizer;
}

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
