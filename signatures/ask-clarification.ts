import { conversation, signature, text } from "espalier";

/**
 * Clarification request generator (NLP-CEIA-UFG, SemEval-2026 Task 8, appendix A.3, third
 * template), for questions that the passages do not answer.
 */
export const askClarification = signature({
  name: "ask-clarification",
  instruction: `The question cannot be answered from the documents at hand.
1. Say that what was asked is not in them.
2. Ask back for the one detail that would lead to it.
3. Tell what sort of thing the user could add.
Write like a polite expert who would gladly go on.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The latest turns of the conversation."),
  },
  output: { answer: text("answer", "A short refusal with a question back to the user.") },
});
