import type { Retriever } from "espalier";
import { agent, int, program, text, tool } from "espalier";
import { z } from "zod";
import { researchQuestion } from "../../signatures/index.ts";
import { calculator } from "./calculator.ts";

export interface ReactResearchOptions {
  readonly retriever: Retriever;
  /** Passages of one search. @default 4 */
  readonly passages?: number;
}

/**
 * Answers questions that take several searches, or arithmetic: an agent with a search and a
 * calculator (ReAct, arXiv 2210.03629).
 */
export const reactResearch = ({ retriever, passages = 4 }: ReactResearchOptions) =>
  program({
    name: "react-research",
    version: "1",
    input: { question: text("question", "The question to be answered.") },
    output: { answer: text("answer", "The answer, as short as possible.") },
    predictors: {
      research: agent({
        signature: researchQuestion,
        tools: [searchOver(retriever, passages), calculator],
        maxSteps: 6,
        maxToolCalls: 12,
      }),
    },
    parameters: { maxSteps: int({ default: 4, min: 1, max: 6 }) },
    forward: async ({ question }, { predictors, parameters: { maxSteps } }) =>
      predictors.research({ question }, { maxSteps }),
  });

function searchOver(retriever: Retriever, passages: number) {
  return tool({
    name: "find_passages",
    description: "Finds passages of the shelves.",
    input: { query: z.string().describe("What to find, in a few words.") },
    run: async ({ query }, { signal }) => {
      const found = await retriever.doRetrieve({ query, k: passages }, { signal });
      return found
        .map(({ id, title = "", text: said }) => `[${id}] ${title}\n${said}`)
        .join("\n\n");
    },
  });
}
