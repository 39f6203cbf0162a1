import { conversation, passages, signature, text } from "espalier";

/** Complete answer generator (NLP-CEIA-UFG, SemEval-2026 Task 8, appendix A.3, first template). */
export const writeCompleteAnswer = signature({
  name: "write-complete-answer",
  instruction: `Answer the question from the passages and the conversation, and from nothing else.
- Where the answer is spread over several passages, bring it together.
- Name the details that carry it: figures, names, conditions.
- Keep the tone of the conversation.
- Where the passages do not cover all of the question, say so.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
    passages: passages("Passages that hold the answer, best first."),
  },
  output: { answer: text("answer", "The answer to the question.") },
});
