import { conversation, passages, signature, text } from "espalier";
import { z } from "zod";

/**
 * Candidate answer of the answerability gate (AILS-NTUA, SemEval-2026 Task 8, Task C): what the
 * third judge looks at. Differs from `writeGroundedAnswer`, whose answer goes to the user.
 */
export const writeCandidateAnswer = signature({
  name: "write-candidate-answer",
  instruction: `Answer the question with facts from the passages and the conversation; both count as sources.
- A part of the answer is an answer: give the facts there are, and say what they leave open.
- What holds for a closely related case may be applied, and what follows from the facts may be concluded.
- Answer a yes-or-no question with yes or no where the facts allow it.
- Only where passages and conversation are both about something else, write that the information is not available.`,
  input: {
    question: text("question", "The user's latest question, in full."),
    history: conversation("The latest turns of the conversation."),
    spans: z.array(text("span")).describe("Sentences of the passages that seem to answer."),
    passages: passages("The best passages found, best first."),
  },
  output: { answer: text("answer", "The answer, with the facts it rests on.") },
});
