import { conversation, passages, signature, text } from "espalier";
import { z } from "zod";

/**
 * Evidence span extraction (AILS-NTUA, SemEval-2026 Task 8, appendix C.1, stage 1): sentences
 * copied from the passages, which the generator then sees in place of the passages.
 */
export const extractSpans = signature({
  name: "extract-spans",
  instruction: `Pick the sentences of the passages that answer the question.
- Copy each sentence word for word, whole, as it stands in the passage.
- Prefer sentences with names, numbers, dates and other facts that carry the answer.
- Where passages say the same, take the sentence of the earlier passage.
- Pick no more sentences than allowed, and none that do not help.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    passages: passages("Passages to pick from, best first."),
    maxSpans: z.int().describe("Most sentences to pick."),
    notice: text("notice", "What to mind in this attempt; empty in the first."),
  },
  output: {
    spans: z
      .array(
        z.object({
          passage: z.int().describe("Number of the passage."),
          sentence: text("span", "The sentence as it stands there."),
        }),
      )
      .describe("Sentences that answer the question, the most telling first."),
  },
});
