import { signature, text } from "espalier";
import { z } from "zod";

/**
 * Document review of the R2RAG agent (RMIT-ADM+S, MMU-RAG 2025, section 3.3 and appendix A.4):
 * which documents to keep, whether all that was kept answers the question, and what to search for
 * next. The evidence stands before the verdict, since fields are generated in order.
 */
export const reviewDocuments = signature({
  name: "review-documents",
  instruction: `You help to research a question, and one search for it has just returned. Review the documents; do not answer the question.
1. Pick the documents that matter for the answer and bring something that earlier rounds did not. Of several that say the same, pick the best. Leave out what is off the topic.
2. If you picked any, sum up in one or two sentences what they tell, without their numbers.
3. Judge whether everything gathered, earlier rounds included, is enough to answer:
   - Is a short answer wanted, or a full explanation that takes several sides?
   - Is each part of the question covered?
   - Where views differ, or where weighing, solving or recommending is asked, are the different sides there?
   When information is missing or doubtful it is not enough.
4. If it is not enough, write a new search query for what is missing. Do not repeat earlier queries, which did not bring it: expand or relax them, take one part of the question first, use synonyms and other keywords, or make a reasonable guess.`,
  input: {
    question: text("question", "The user's question, which the research is for."),
    query: text("query", "The search query that is being worked on now."),
    earlierQueries: z
      .array(text("query"))
      .describe("Queries of earlier rounds, not to be repeated."),
    earlierSummaries: z
      .array(text("summary"))
      .describe("Notes on what the documents kept in earlier rounds tell."),
    documents: text("documents", "Documents that this search found, numbered, best first."),
  },
  output: {
    useful: z
      .array(z.int().min(1))
      .describe("Numbers of the documents that are new and useful for the answer."),
    summary: text("summary", "Summary of what the useful documents tell; empty without any.", {
      max: 800,
    }),
    isSufficient: z
      .boolean()
      .describe("Whether all documents gathered, earlier ones included, suffice for the answer."),
    newQuery: text("query", "Search query for what is missing; empty when they suffice.", {
      max: 400,
    }),
  },
});
