import { signature, text } from "espalier";

/**
 * Refiner of HANRAG (section 3, formula 6): the seed question, which is the part of a complex
 * question that has to be answered next.
 */
export const refineQuestion = signature({
  name: "refine-question",
  instruction: `The question cannot be looked up at once: it is solved in steps, and each step answers one seed question. Word the seed question of the next step.
- Before the first step, ask for what everything else depends on: the thing that the question describes without naming it.
- After that, put the answers of the solved steps in the place of the descriptions they answer, and ask for the next thing that is still unknown. Never ask again what a step has answered.
- A seed question asks for one fact, names the things it is about, and can be understood on its own.
- A question that one search can answer is its own seed question: return it unchanged.`,
  input: {
    question: text("question", "The question to be answered in the end."),
    thought: text(
      "thought",
      'The steps solved so far, each with its seed question and its answer; "nothing" before the first.',
    ),
  },
  output: {
    seedQuestion: text("question", "The seed question: the sub-question to be looked up next."),
  },
});
