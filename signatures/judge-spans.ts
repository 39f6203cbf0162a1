import { signature, text } from "espalier";
import { z } from "zod";
import { answerabilityGuide } from "./answerability-guide.ts";
import { judgedTurn, verdictFields } from "./verdict-fields.ts";

/** Second judge of the answerability gate (AILS-NTUA, SemEval-2026 Task 8, Task C): the spans. */
export const judgeSpans = signature({
  name: "judge-spans",
  instruction: `Judge whether the sentences picked from the passages, with the conversation, answer the question. Go through these steps:
1. History: does the conversation already answer it, even where no sentence was picked?
2. Related case: does something closely related in the conversation apply?
3. Purpose: do the sentences serve what the user is after?
4. Nothing picked, and nothing in the conversation: UNANSWERABLE.
5. Time: does it ask for the present while the sentences are of the past?
6. Directly: do the sentences answer it, if only in part?
7. Conclusion: does the answer follow from what they say?

${answerabilityGuide}`,
  input: {
    ...judgedTurn,
    spans: z.array(text("span")).describe("Sentences picked from the passages."),
  },
  output: verdictFields,
});
