import { conversation, passages, signature, text } from "espalier";
import { z } from "zod";

/**
 * Single answerability judge (AILS-NTUA, SemEval-2026 Task 8, appendix D.1 and the baseline of
 * D.3). Differs from `classifyAnswerability`: it reads the conversation, and leans towards an
 * answer.
 */
export const judgeAnswerability = signature({
  name: "judge-answerability",
  instruction: `Judge whether the passages answer the question. In doubt, say ANSWERABLE.
ANSWERABLE: they hold facts that answer it.
PARTIAL: they hold some of what was asked, and something important is missing.
UNANSWERABLE: what was asked is missing altogether, or the passages are of another time than the question.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    passages: passages("The best passages found, best first."),
  },
  output: {
    label: z
      .enum(["ANSWERABLE", "PARTIAL", "UNANSWERABLE"])
      .describe("Whether the passages answer the question."),
    confidence: z.enum(["HIGH", "MEDIUM", "LOW"]).describe("How sure the label is."),
  },
});
