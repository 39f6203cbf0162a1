import { signature, text } from "espalier";

/**
 * Aggregator of HANRAG (section 3, formula 5), whose prompt the paper does not give: the final
 * answer from the sub-questions of a question and their answers.
 */
export const answerFromSteps = signature({
  name: "answer-from-steps",
  instruction: `The question was taken apart, and each part was looked up. Answer the question from the parts and their answers, in as few words as possible.
- Give what the question asks for in the end, not what was found on the way to it.
- Where the question asks for several things, give all of them, in its order, with " && " between them.
- Give names, dates, numbers or phrases without a sentence around them; for a question of yes or no, "yes" or "no".`,
  input: {
    question: text("question", "The question to be answered."),
    thought: text("thought", "The solved steps, each with its sub-question and its answer."),
  },
  output: { answer: text("answer", "The answer to the whole question, as short as possible.") },
});
