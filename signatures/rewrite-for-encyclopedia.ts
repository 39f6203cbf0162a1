import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Corpus-specific rewriter for ClapNQ, and for collections that are not known (AILS-NTUA,
 * SemEval-2026 Task 8, appendix B.13 and table 29): names in the forms that articles use.
 */
export const rewriteForEncyclopedia = signature({
  name: "rewrite-for-encyclopedia",
  instruction: `Rewrite the question as a search query over encyclopedia articles. The index is sparse: it matches words, so the query needs the words of the article.

- Replace every pronoun and reference by the exact name it stands for.
- Give an entity that has a formal and a common name in both forms.
- Word times and periods the way an article would.
- Keep the question word: who, what, when, where, how many.
- Keep the terms of the conversation. Add a qualifier only where a name could mean two things.
- If the question can already be understood alone, return it unchanged.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
  },
  output: {
    kind: z
      .enum(["standalone", "non-standalone"])
      .describe("Whether the question can be understood alone, as it was asked."),
    rewritten: text("query", "The search query over encyclopedia articles.", { max: 1000 }),
  },
});
