import { conversation, passages, signature, text } from "espalier";
import { z } from "zod";

/**
 * Listwise LM reranker (AILS-NTUA, SemEval-2026 Task 8, table 23), which they tried and left. The
 * paper prints no prompt: the words are ours.
 */
export const orderPassages = signature({
  name: "order-passages",
  instruction: `Order the passages by how much they help to answer the question, the best first. One that holds the answer goes before one that holds a part of it, and that before one that is only about the same thing. Name each passage once, by its number.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    passages: passages("The passages to be ordered, numbered from 1."),
  },
  output: {
    order: z.array(z.int().min(1)).max(100).describe("Numbers of passages, the best first."),
  },
});
