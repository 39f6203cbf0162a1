import { signature, text } from "espalier";
import { z } from "zod";

/** Micro-adjustment (AILS-NTUA, SemEval-2026 Task 8, appendix C.1, stage 4). */
export const adjustAnswer = signature({
  name: "adjust-answer",
  instruction: `Mend the one problem of this answer. Change as little as you can, add nothing that the facts do not say, and take exact wording from the facts where you add or replace something.`,
  input: {
    answer: text("answer", "The answer as it is."),
    problem: text("problem", "What is wrong with it."),
    spans: z.array(text("span")).describe("The facts: sentences from the documents."),
  },
  output: { adjusted: text("answer", "The whole answer, mended.") },
});
