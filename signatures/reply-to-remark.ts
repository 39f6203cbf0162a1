import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Conversational reply (AILS-NTUA, SemEval-2026 Task 8, appendix C.1, stage 0), for a turn such as
 * "thanks" or "got it".
 */
export const replyToRemark = signature({
  name: "reply-to-remark",
  instruction: `The user made a remark and asked nothing. Reply in a friendly and short way that fits the conversation, within the words allowed. State no new facts.`,
  input: {
    question: text("question", "The user's remark."),
    history: conversation("The latest turns of the conversation."),
    maxWords: z.int().describe("Most words of the reply."),
  },
  output: { answer: text("answer", "The short reply.") },
});
