import { conversation, signature, text } from "espalier";

/**
 * Rewriter by type of question (AILS-NTUA, SemEval-2026 Task 8, table 16), which they tried and
 * left. The paper prints no prompt: the words are ours.
 */
export const rewriteForType = signature({
  name: "rewrite-for-type",
  instruction: `Rewrite the question as a search query that can be understood without the conversation.

- Replace pronouns and references by what they stand for, and put back what the question leaves out.
- Shape the query for its kind of question, as the advice says. Add nothing that neither the conversation nor the advice calls for.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
    advice: text("advice", "Kind of question, and what a query for such a one needs."),
  },
  output: { rewritten: text("query", "The search query.", { max: 1000 }) },
});
