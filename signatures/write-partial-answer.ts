import { conversation, passages, signature, text } from "espalier";

/** Partial answer generator (NLP-CEIA-UFG, SemEval-2026 Task 8, appendix A.3, second template). */
export const writePartialAnswer = signature({
  name: "write-partial-answer",
  instruction: `The passages answer only a part of the question.
1. Begin with what they do answer.
2. Say plainly what is missing or incomplete.
3. Suggest what further information a full answer would need.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    passages: passages("Passages that hold a part of the answer, best first."),
  },
  output: { answer: text("answer", "What can be answered, and what is missing.") },
});
