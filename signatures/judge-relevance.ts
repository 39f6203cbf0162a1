import { signature, text } from "espalier";
import { z } from "zod";

/** Relevance discriminator of HANRAG (appendix A.3): keeps noise from the generator. */
export const judgeRelevance = signature({
  name: "judge-relevance",
  instruction: `Judge whether the passage helps to answer the question.
It does when it holds the answer, or a fact that the answer can be worked out from. It does not when it is only about something similar, or about the same thing but not what is asked of it.`,
  input: {
    question: text("question", "The question to be answered."),
    passage: text(
      "passage",
      "The passage that was found: its title, if it has one, then its text.",
    ),
  },
  output: {
    isRelevant: z.boolean().describe("Whether the passage helps to answer the question."),
  },
});
