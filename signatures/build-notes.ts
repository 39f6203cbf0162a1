import { passages, signature, text } from "espalier";
import { z } from "zod";

/**
 * Notes builder of the notes-guided retriever (NLP-CEIA-UFG, SemEval-2026 Task 8, appendix A.2):
 * what a round of retrieval brought, and what the next should look for.
 */
export const buildNotes = signature({
  name: "build-notes",
  instruction: `Read the passages that this round found and write notes that guide the next round of search. Be specific: name things, and say what to do.
- Key findings: what the passages tell that helps to answer the question.
- Missing information: what is still needed for a full answer.
- Search suggestions: which searches could bring it.`,
  input: {
    question: text("question", "The user's latest question."),
    queries: z.array(text("query")).describe("The search queries of this round."),
    passages: passages("The passages that this round found, best first."),
    earlierNotes: text("notes", "Notes of the rounds before."),
  },
  output: {
    keyFindings: text("notes", "Key findings: what the passages tell about the question.", {
      max: 1500,
    }),
    missingInfo: text("notes", "Missing information: what is still needed.", { max: 800 }),
    searchSuggestions: text("notes", "Search suggestions for the next round.", { max: 800 }),
  },
});
