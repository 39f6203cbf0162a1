import { passages, signature, text } from "espalier";
import { z } from "zod";

/**
 * Answerability classifier of the notes-guided system (NLP-CEIA-UFG, SemEval-2026 Task 8, section
 * 3). A typed label takes the place of the original's free text, whose parser read "not" anywhere
 * as UNANSWERABLE. The confidences are ours: the paper blames its score on labels that are too
 * careful, and with a number for each of them a program can say how careful to be.
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
    answerable: confidence("the passages hold everything that a full answer needs"),
    partial: confidence("the passages hold a part of the answer, and a part is missing"),
    unanswerable: confidence("the passages hold nothing that answers the question"),
  },
});

function confidence(of: string) {
  return z.number().min(0).max(1).describe(`Confidence, from 0 to 1, that ${of}.`);
}
