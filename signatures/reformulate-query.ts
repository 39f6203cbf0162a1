import { signature, text } from "espalier";

/**
 * Query reformulation of the R2RAG agent (RMIT-ADM+S, MMU-RAG 2025, section 3.3): for a search that
 * brought nothing relevant. The paper gives no prompt for it.
 */
export const reformulateQuery = signature({
  name: "reformulate-query",
  instruction: `A web search with this query found nothing of use. Write a better one for the same need: other keywords, wider or narrower, without what may have led the search astray.`,
  input: { query: text("query", "The query that found nothing.") },
  output: {
    newQuery: text("query", "A better search query for the same need.", { max: 400 }),
  },
});
