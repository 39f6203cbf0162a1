import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Decomposing rewriter (AILS-NTUA, SemEval-2026 Task 8, table 16), which they tried and left. The
 * paper prints no prompt: the words are ours. Differs from `decomposeQuestion` of HANRAG, whose
 * question has no conversation before it.
 */
export const decomposeTurn = signature({
  name: "decompose-turn",
  instruction: `Split the question of a conversation into the searches that its answer takes.

- Each search asks for one thing, and can be understood without the conversation and without the others: replace pronouns and references by what they stand for.
- Together they ask for everything that the question asks for, and for nothing else.
- A question that asks for one thing only takes one search: the question itself, understandable alone.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
  },
  output: {
    queries: z.array(text("query")).max(5).describe("One query for each search."),
  },
});
