import { conversation, signature, text } from "espalier";

/**
 * Query generator of the notes-guided retriever (NLP-CEIA-UFG, SemEval-2026 Task 8, section 3 and
 * appendix A.1): three searches and two reranking phrases from question, conversation and notes.
 */
export const generateQueries = signature({
  name: "generate-queries",
  instruction: `You plan searches over a collection of short passages, about 512 tokens each with an overlap of 100.
The collections are encyclopedia articles, posts of a finance forum, guidance pages of public agencies, and technical documentation of a cloud provider.

Search is hybrid: each query runs against a keyword index (BM25) and a dense index, and the lists are fused. Give each query the exact terms a passage would use, and enough of the intent that meaning can match too.

Write three queries that differ from each other, and two phrases for the reranker:
- the rerank query orders what this round finds;
- the final rerank query orders everything found in all rounds, so it states the whole need.

Questions come in ten kinds: factoid, how-to, explanation, comparative, composite, summarization, keyword, opinion, troubleshooting, and remarks that ask nothing. A turn may open a subject, follow one up, ask for clarification, or return to an earlier one. Some questions can be answered in full, some in part, some not at all, and some say too little: search for what can be had in every case.

Notes tell what earlier rounds brought. Use them in this order:
1. Follow their search suggestions.
2. Cover each thing they list as missing with a query.
3. Key findings are known already: do not repeat earlier queries for them.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
    notes: text(
      "notes",
      "Notes of earlier rounds: queries used, key findings, missing information, search suggestions.",
    ),
  },
  output: {
    query1: text("query", "First search query.", { max: 400 }),
    query2: text("query", "Second search query, for another side of the need.", { max: 400 }),
    query3: text("query", "Third search query, different from the other two.", { max: 400 }),
    rerankQuery: text("query", "Phrase that the passages of this round are reranked by.", {
      max: 400,
    }),
    finalRerankQuery: text("query", "Phrase that the passages of all rounds are reranked by.", {
      max: 400,
    }),
  },
});
