import { passages, signature, text } from "espalier";

/** Generator of HANRAG (section 4.1): a short answer from the passages that passed the filter. */
export const answerFromPassages = signature({
  name: "answer-from-passages",
  instruction: `Answer the question from the passages, in as few words as possible.
Give the name, the date, the number or the phrase that is asked for, without a sentence around it; for a question of yes or no, "yes" or "no".
Where the passages do not settle it, give the answer that they make most likely; where there are none, the one that you hold most likely.`,
  input: {
    question: text("question", "The question to be answered."),
    passages: passages("The passages that were found, best first; there may be none."),
  },
  output: { answer: text("answer", "The answer, as short as possible.") },
});
