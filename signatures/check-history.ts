import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * History sufficiency check of the answerability gate (AILS-NTUA, SemEval-2026 Task 8, Task C): a
 * question that the conversation already answers needs no passages.
 */
export const checkHistory = signature({
  name: "check-history",
  instruction: `Judge whether the assistant's earlier replies already hold what answers the question. A reply on the same subject that leaves the question open does not.`,
  input: {
    question: text("question", "The user's latest question, in full."),
    history: conversation("The assistant's latest replies."),
  },
  output: {
    holdsAnswer: z.boolean().describe("Whether the replies hold the answer."),
    confidence: z.number().min(0).max(1).describe("How sure that is, from 0 to 1."),
  },
});
