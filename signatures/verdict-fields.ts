import { conversation, text } from "espalier";
import { z } from "zod";

/** The inputs that every judge of the answerability gate receives before its evidence. */
export const judgedTurn = {
  question: text("question", "The user's latest question, in full."),
  message: text("message", "What the user typed; the question may be a fuller form of it."),
  history: conversation("The latest turns of the conversation."),
};

/** The outputs of every judge of the answerability gate. */
export const verdictFields = {
  analysis: text("analysis", "What the steps showed, in short.", { max: 1000 }),
  verdict: z
    .enum(["ANSWERABLE", "UNANSWERABLE"])
    .describe("Whether the question can be answered from this evidence."),
  confidence: z.number().min(0).max(1).describe("How sure the verdict is, from 0 to 1."),
};
