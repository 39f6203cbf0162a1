import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Pointwise LM reranker (AILS-NTUA, SemEval-2026 Task 8, table 23), which they tried and left. The
 * paper prints no prompt: the words are ours.
 */
export const ratePassage = signature({
  name: "rate-passage",
  instruction: `Rate from 1 to 10 how much the passage helps to answer the question.
10: it holds the whole answer. 5: it holds a part of it. 1: it is about something else, or about the same thing but not what is asked of it.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    passage: text("passage", "The passage: its title, if it has one, then its text."),
  },
  output: { rating: z.int().min(1).max(10).describe("From 1 to 10.") },
});
