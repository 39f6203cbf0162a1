import { signature, text } from "espalier";
import { z } from "zod";

/**
 * Ending discriminator of HANRAG (appendix A.2), whose prompt the paper does not give: whether the
 * steps solved so far are enough.
 */
export const judgeEnding = signature({
  name: "judge-ending",
  instruction: `The question is being solved in steps; each step answered one seed question. Judge whether it can be answered in full from the solved steps alone.
It can when they hold the very thing that is asked for. It cannot while something that the question asks for, or that the answer depends on, was not found out yet, or when a step found no answer.`,
  input: {
    question: text("question", "The question to be answered in the end."),
    thought: text(
      "thought",
      'The steps solved so far, each with its seed question and its answer; "nothing" before the first.',
    ),
  },
  output: {
    isSolved: z
      .boolean()
      .describe("Whether the solved steps are enough to answer the question in full."),
  },
});
