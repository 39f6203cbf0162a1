import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Candidate generation (AILS-NTUA, SemEval-2026 Task 8, appendix C.1, stage 2): an answer from
 * extracted spans, with the style and length of the question's type (appendix C.5).
 */
export const writeGroundedAnswer = signature({
  name: "write-grounded-answer",
  instruction: `Answer the question from the facts given, and from nothing else.
- Take names, numbers, dates and technical terms over exactly as the facts word them.
- Let about a third of the answer (35 %) be wording of the facts; put the rest in words that read naturally.
- Cover everything that was asked, in the style and at about the length asked for.
- Do not hedge, and do not speak about facts, sources or documents: answer.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    spans: z.array(text("span")).describe("The facts: sentences from the documents."),
    style: text("style", "Kind of question, and how to answer such a one."),
    targetWords: z.int().describe("About how many words the answer should have."),
  },
  output: { answer: text("answer", "The answer to the question.") },
});
