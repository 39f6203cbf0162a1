import { signature, text } from "espalier";
import { z } from "zod";

/**
 * Query variants of R2RAG (RMIT-ADM+S, MMU-RAG 2025, section 3.2 and appendix A.2). The authors ask
 * for "2 to 5" whatever number they use; here the number used is an input.
 */
export const varyQuery = signature({
  name: "vary-query",
  instruction: `Work out what is really being asked, and write web search queries that find the answer: at least two, and at most as many as the count allows.
Say the same need in different ways: expand it, relax it, cut it into parts, use synonyms and other keywords, make reasonable guesses, so that each query reaches another side of it.
For a controversial topic, let the queries together bring a balanced view.
Each query is plain text without numbering.`,
  input: {
    query: text("query", "The question, or a search query written for a part of it."),
    count: z.int().min(2).max(10).describe("Most queries to write."),
  },
  output: {
    queries: z
      .array(text("query", "", { max: 400 }))
      .max(10)
      .describe("Search queries for the question, each different from the others."),
  },
});
