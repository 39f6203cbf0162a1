import { passages, signature } from "espalier";
import { answerabilityGuide } from "./answerability-guide.ts";
import { judgedTurn, verdictFields } from "./verdict-fields.ts";

/** First judge of the answerability gate (AILS-NTUA, SemEval-2026 Task 8, Task C): the passages. */
export const judgeDocuments = signature({
  name: "judge-documents",
  instruction: `Judge whether the question can be answered from the passages and the conversation. Go through these steps:
1. History: does the conversation already answer it?
2. Related case: does something closely related in passages or conversation apply?
3. Purpose: do the passages serve what the user is after?
4. Time: does it ask for the present while the passages are of the past?
5. Features: does it ask whether something is worth it, and do the passages describe it?
6. Directly: do the passages answer it, if only in part?
7. Conclusion: does the answer follow from what they say?

${answerabilityGuide}`,
  input: { ...judgedTurn, passages: passages("The best passages found, best first.") },
  output: verdictFields,
});
