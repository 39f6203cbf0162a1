import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Corpus-specific rewriter for FiQA (AILS-NTUA, SemEval-2026 Task 8, appendix B.13 and table 29):
 * amounts and tickers survive. It reads only the user's turns.
 */
export const rewriteForFinanceForum = signature({
  name: "rewrite-for-finance-forum",
  instruction: `Rewrite the question as a search query over posts of a personal-finance forum, with the smallest change that makes it understandable alone.

- Replace pronouns and references by what the user named before.
- Keep amounts, percentages, currencies, ticker symbols, account types and time horizons exactly as written.
- Keep the user's own everyday words: posts are written the same way.
- Bring in nothing that the user did not mention.
- If the question can already be understood alone, return it unchanged.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("What the user said before the question, oldest turn first."),
  },
  output: {
    kind: z
      .enum(["standalone", "non-standalone"])
      .describe("Whether the question can be understood alone, as it was asked."),
    rewritten: text("query", "The search query over forum posts.", { max: 1000 }),
  },
});
