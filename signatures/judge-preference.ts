import { conversation, signature, text } from "espalier";
import { z } from "zod";

/** User satisfaction judge (AILS-NTUA, SemEval-2026 Task 8, appendix C.1, stage 3). */
export const judgePreference = signature({
  name: "judge-preference",
  instruction: `Put yourself in the place of the user who asked. Which of the two answers would you rather get in this conversation, and how sure are you?`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    answerA: text("answer", "Answer A."),
    answerB: text("answer", "Answer B."),
  },
  output: {
    preferred: z.enum(["A", "B"]).describe("The answer that the user would rather get."),
    confidence: z.enum(["HIGH", "MEDIUM", "LOW"]).describe("How sure the preference is."),
  },
});
