import { signature, text } from "espalier";
import { z } from "zod";
import { verdictFields } from "./verdict-fields.ts";

/**
 * Arbiter of the answerability gate (AILS-NTUA, SemEval-2026 Task 8, Task C): weighs the verdicts
 * of the three judges by their confidence, and reads none of their evidence.
 */
export const arbitrateVerdicts = signature({
  name: "arbitrate-verdicts",
  instruction: `Three judges have said whether a question can be answered, each from other evidence: the passages, the sentences picked from them, and a candidate answer. Give one verdict from theirs.
- Let each verdict weigh as much as its judge is confident, and side with the greater weight.
- Let one judge prevail over two only if that judge is almost certain and the two are not.
- State how sure the outcome is: about as sure as the judges where they agree, and less where they do not.`,
  input: {
    question: text("question", "The user's latest question, in full."),
    judgements: z
      .array(
        z.object({
          evidence: z.enum(["passages", "sentences", "answer"]),
          verdict: verdictFields.verdict,
          confidence: verdictFields.confidence,
        }),
      )
      .describe("What each judge said."),
  },
  output: {
    analysis: text("analysis", "How the verdicts were weighed, in one sentence.", { max: 1000 }),
    verdict: z
      .enum(["ANSWERABLE", "UNANSWERABLE"])
      .describe("Whether the question can be answered, all judges considered."),
    confidence: z.number().min(0).max(1).describe("How sure the outcome is, from 0 to 1."),
  },
});
