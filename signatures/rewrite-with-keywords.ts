import { conversation, signature, text } from "espalier";
import { z } from "zod";

/**
 * Anchor-keyword rewriter (AILS-NTUA, SemEval-2026 Task 8, section 3 and appendix B.13): a query
 * followed by the terms that a sparse index should match.
 */
export const rewriteWithKeywords = signature({
  name: "rewrite-with-keywords",
  instruction: `Rewrite the question as one search query that can be understood without the conversation, and list the terms that a keyword index should match.

- Anchors are what the question is about: names, acronyms, identifiers, error codes, flags. At most 8.
- Keywords are what is asked of it: actions, properties, relations. At most 12.
- Take all terms from the question and the conversation. Invent no name and no fact.
- Copy numbers, codes and ticker symbols exactly.
- Query, anchors and keywords together have at most 28 words.`,
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
    anchors: z.array(text("anchor")).describe("What the question is about, at most 8 terms."),
    keywords: z.array(text("keyword")).describe("What is asked of it, at most 12 terms."),
  },
});
