import { signature, text } from "espalier";
import { z } from "zod";

/** Compound questions of HANRAG's benchmark (appendix B.1): several simple questions as one. */
export const combineQuestions = signature({
  name: "combine-questions",
  instruction: `Combine the simple questions about one entity into a single compound question.
- It asks for everything that they ask for, in their order, and for nothing else, and reads like one question of one person.
- It names the entity and gives none of the answers away.
- When they cannot be combined, since they are about different things or ask for the same, the compound question is the one word "no".`,
  input: {
    questions: z.array(text("question")).describe("The simple questions, in order."),
  },
  output: {
    compoundQuestion: text("question", 'The compound question, or "no" when there is none.'),
  },
});
