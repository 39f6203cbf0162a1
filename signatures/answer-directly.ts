import { signature, text } from "espalier";

/** Answer to a straightforward question (HANRAG, section 4.1): from what the model knows. */
export const answerDirectly = signature({
  name: "answer-directly",
  instruction: `Answer the question from what you know, in as few words as possible.
Give the name, the date, the number or the phrase that is asked for, without a sentence around it; for a question of yes or no, "yes" or "no".`,
  input: { question: text("question", "The question to be answered.") },
  output: { answer: text("answer", "The answer, as short as possible.") },
});
