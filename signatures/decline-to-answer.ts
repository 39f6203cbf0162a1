import { signature, text } from "espalier";
import { z } from "zod";

/**
 * Calibrated refusal (AILS-NTUA, SemEval-2026 Task 8, appendix C.1, stage 0), for questions without
 * passages and for those that the answerability gate refuses.
 */
export const declineToAnswer = signature({
  name: "decline-to-answer",
  instruction: `Nothing was found that answers the question. Tell the user in one sentence, within the words allowed, that the information is not available.
Speak of the information, as in "The information is not available", and not of what you know or do not know.`,
  input: {
    question: text("question", "The user's latest question."),
    maxWords: z.int().describe("Most words of the refusal."),
  },
  output: { answer: text("answer", "The refusal.") },
});
