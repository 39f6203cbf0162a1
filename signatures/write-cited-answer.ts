import { signature, text } from "espalier";

/**
 * Answer generator of R2RAG (RMIT-ADM+S, MMU-RAG 2025, section 3.2 and appendix A.5). The documents
 * come first, so that a server's prefix cache holds them for every question.
 */
export const writeCitedAnswer = signature({
  name: "write-cited-answer",
  instruction: `Explain and answer the question from the documents that a search engine returned for it. They are all you know.
- Say nothing that the documents do not support. Where they lack what the answer needs, say that you do not have enough information.
- After each sentence put the numbers of the documents it rests on, as in "The bridge was finished in 1902 [1][3]." Use as many of the documents as help.
- Give a balanced view of controversial topics.
- Fit the answer to the question: a few plain points for a simple one, sections with explanations for a complex one.
- Write in English. Do not return greetings, and do not chat.`,
  input: {
    documents: text("documents", "Documents that the search found, numbered, best first."),
    knowledgeCutoff: text("cutoff", "How far the search results reach in time.").optional(),
    currentTime: text("time", "The time now, in UTC.").optional(),
    question: text("question", "The user's question."),
  },
  output: {
    answer: text("answer", "The answer, with the numbers of its documents in brackets.", {
      max: 20_000,
    }),
  },
});
