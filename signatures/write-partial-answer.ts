import { conversation, passages, signature, text } from "espalier";

/** Partial answer generator (NLP-CEIA-UFG, SemEval-2026 Task 8, appendix A.3, second template). */
export const writePartialAnswer = signature({
  name: "write-partial-answer",
  instruction: `The passages answer only a part of the question.
1. Begin with what they do answer.
2. Then name each thing that was asked and that they do not tell.
3. Close with what one would have to find out for the rest.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    passages: passages("Passages that hold a part of the answer, best first."),
  },
  output: { answer: text("answer", "What can be answered, and what is missing.") },
});
