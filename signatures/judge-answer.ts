import { signature, text } from "espalier";
import { answerabilityGuide } from "./answerability-guide.ts";
import { judgedTurn, verdictFields } from "./verdict-fields.ts";

/**
 * Third judge of the answerability gate (AILS-NTUA, SemEval-2026 Task 8, Task C): a candidate
 * answer, with what the first judge said of the passages.
 */
export const judgeAnswer = signature({
  name: "judge-answer",
  instruction: `Judge by this answer whether the question can be answered. Go through these steps:
1. Time: does the question ask for the present while the answer is of the past? UNANSWERABLE.
2. Refusal: does the answer say only that nothing is known, without any fact? UNANSWERABLE. A caveat with facts is no refusal.
3. Related case: does the answer apply something closely related?
4. History: does the answer rest on the conversation?
5. Purpose: does the answer serve what the user is after?
6. Directly: does it answer, if only in part? An answer to something else is UNANSWERABLE.

${answerabilityGuide}`,
  input: {
    ...judgedTurn,
    answer: text("answer", "The answer to judge."),
    documentAnalysis: text("analysis", "What the judge of the passages found."),
  },
  output: verdictFields,
});
