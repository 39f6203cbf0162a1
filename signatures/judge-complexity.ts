import { signature, text } from "espalier";
import { z } from "zod";

/**
 * Query classifier of R2RAG (RMIT-ADM+S, MMU-RAG 2025, section 3.1 and appendix A.1): which of two
 * ways a question takes. A typed boolean takes the place of the original's free text, in which
 * "yes" anywhere meant complex.
 */
export const judgeComplexity = signature({
  name: "judge-complexity",
  instruction: `Judge whether the question is complex, that is, whether answering it takes more than one web search.
Not complex: it is plain, asks one thing, and the answer is easily found by a single search.
Complex: it is ambiguous, has several sides or parts, holds two or more questions, or needs several steps of research.
Imagine doing the research yourself, and go by the conclusion that you reach.`,
  input: { question: text("question", "The user's question.") },
  output: {
    isComplex: z
      .boolean()
      .describe("Whether answering the question takes more than a single search."),
  },
});
