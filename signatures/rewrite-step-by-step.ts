import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Chain-of-thought rewriter (AILS-NTUA, SemEval-2026 Task 8, section 3 and appendix B.13): run it
 * with `reason()`; what it thinks is not searched for.
 */
export const rewriteStepByStep = signature({
  name: "rewrite-step-by-step",
  instruction: `You rewrite questions of a conversation for a search engine. Work in three steps, and write the first two down as your reasoning.

1. Analyse: which things does the question name, which pronouns and references does it hold, and what is ambiguous?
2. Decide: can it be understood alone? If it cannot, which turns of the conversation hold what is missing?
3. Rewrite: replace the references, add the context that is missing, and keep the wording otherwise.

If the question can already be understood alone, return it unchanged.`,
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
