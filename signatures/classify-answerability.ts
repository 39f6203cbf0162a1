import { passages, signature, text } from "espalier";
import { z } from "zod";

/**
 * Answerability classifier of the notes-guided system (NLP-CEIA-UFG, SemEval-2026 Task 8, section 3).
 * A typed label takes the place of the original's free text, whose parser read "not" anywhere as
 * UNANSWERABLE.
 */
export const classifyAnswerability = signature({
  name: "classify-answerability",
  instruction: `Judge whether the passages answer the question.
ANSWERABLE: they hold everything that a full answer needs.
PARTIAL: they hold a part of it, and something that was asked is missing.
UNANSWERABLE: they hold nothing that answers it.`,
  input: {
    question: text("question", "The user's latest question."),
    passages: passages("The best passages found, best first."),
  },
  output: {
    label: z
      .enum(["ANSWERABLE", "PARTIAL", "UNANSWERABLE"])
      .describe("Whether the passages answer the question"),
    confidence: z.number().min(0).max(1).describe("How sure the label is, from 0 to 1."),
  },
});
