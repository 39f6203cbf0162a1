import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Minimal rewriter (AILS-NTUA, SemEval-2026 Task 8, section 3 and appendix B.13): the question
 * stands alone, and nothing else about it changes.
 */
export const rewriteMinimally = signature({
  name: "rewrite-minimally",
  instruction: `Rewrite the question so that it can be understood without the conversation.

- Replace pronouns and references by what they stand for, and put back what the question leaves out.
- Keep every other word of the question, in its order. Do not paraphrase and do not add terms.
- Use what the assistant said only to find out what a pronoun or a reference stands for.
- If the question can already be understood alone, return it unchanged.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
  },
  output: {
    kind: z
      .enum(["standalone", "non-standalone"])
      .describe("Whether the question can be understood alone, as it was asked."),
    rewritten: text("query", "The question, understandable without the conversation.", {
      max: 1000,
    }),
  },
});
