import { conversation, signature, text } from "espalier";

/**
 * Question expander of the answerability gate (AILS-NTUA, SemEval-2026 Task 8, Task C), for
 * messages of a few words.
 */
export const expandQuestion = signature({
  name: "expand-question",
  instruction: `The user's message is short and leans on the conversation. Write it as one full question of at most 20 words.
- Put what "it", "they", "this" and the like stand for in their place.
- Stay as general as the message; add no detail and no name that the conversation does not have.
- A message that is clear by itself stays as it is.`,
  input: {
    message: text("message", "What the user typed."),
    history: conversation("The latest turns of the conversation."),
  },
  output: { question: text("question", "The message as one full question.") },
});
