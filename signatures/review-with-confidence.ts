import { signature, text } from "espalier";
import { z } from "zod";
import { reviewDocuments } from "./review-documents.ts";

const { useful, summary, isSufficient } = reviewDocuments.output;

/**
 * The review of R2RAG, and how sure it is of its verdict, for programs that weigh the verdict on
 * servers without log-probabilities. The confidence is ours. The query is wanted in any case, since
 * a weight may overrule a verdict that the documents suffice.
 */
export const reviewWithConfidence = signature({
  name: "review-with-confidence",
  instruction: `${reviewDocuments.instruction}
5. Your verdict will be weighed, and may be overruled. So say how sure you are that it is enough, and write a new search query even if it is: for what would make the answer surer.`,
  input: reviewDocuments.input,
  output: {
    useful,
    summary,
    isSufficient,
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe(
        "Confidence, from 0 to 1, that all documents gathered, earlier ones included, suffice for the answer.",
      ),
    newQuery: text(
      "query",
      "Search query for what is missing; when they suffice, for what would make the answer surer.",
      { max: 400 },
    ),
  },
});
