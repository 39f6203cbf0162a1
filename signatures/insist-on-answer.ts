import { signature, text } from "espalier";
import { z } from "zod";

/**
 * Force-answer fallback (AILS-NTUA, SemEval-2026 Task 8, appendix C.1): when both candidates
 * refused although there is evidence.
 */
export const insistOnAnswer = signature({
  name: "insist-on-answer",
  instruction: `Facts on the question are at hand, so it can be answered. Answer it directly from the facts, and from nothing else. A refusal, or a remark that something is missing, is not accepted.`,
  input: {
    question: text("question", "The user's latest question."),
    spans: z.array(text("span")).describe("The facts: sentences from the documents."),
  },
  output: { answer: text("answer", "The answer that the facts give.") },
});
