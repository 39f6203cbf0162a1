import { signature, text } from "espalier";
import { z } from "zod";

/** Decomposer of HANRAG (section 3, formula 1): the independent parts of a compound question. */
export const decomposeQuestion = signature({
  name: "decompose-question",
  instruction: `Split the question into the sub-questions that it is made of.
- Each sub-question asks for one thing, and can be understood and looked up without the others: write out the names that pronouns stand for.
- Ask for everything that the question asks for, in its order, and for nothing else.
- A question that asks for one thing only is returned as it is, as the only sub-question.`,
  input: { question: text("question", "The question to be split.") },
  output: {
    subQuestions: z
      .array(text("question"))
      .max(8)
      .describe("Sub-questions that together make up the question, in its order."),
  },
});
