import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Corpus-specific rewriter for Govt (AILS-NTUA, SemEval-2026 Task 8, appendix B.13 and table 29):
 * names of programs and forms survive.
 */
export const rewriteForAgencyPages = signature({
  name: "rewrite-for-agency-pages",
  instruction: `Rewrite the question as a search query over guidance pages of public agencies, with the smallest change that makes it understandable alone.

- Replace pronouns and references by the program, agency, place or document that they stand for.
- Keep names of programs, acronyms of agencies, numbers of forms, and places exactly as written.
- Bring in nothing that the conversation does not mention.
- If the question can already be understood alone, return it unchanged.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
  },
  output: {
    kind: z
      .enum(["standalone", "non-standalone"])
      .describe("Whether the question can be understood alone, as it was asked."),
    rewritten: text("query", "The search query over agency pages.", { max: 1000 }),
  },
});
