import { conversation, signature, text } from "espalier";

/**
 * Clarification request generator (NLP-CEIA-UFG, SemEval-2026 Task 8, appendix A.3, third template),
 * for questions that the passages do not answer.
 */
export const askClarification = signature({
  name: "ask-clarification",
  instruction: `The question cannot be answered from the documents at hand.
1. Say that the information is not there.
2. Ask for the detail or context that would help.
3. Say what kind of information would be useful.
Be helpful and professional.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
  },
  output: { answer: text("answer", "A short refusal with a question back to the user.") },
});
