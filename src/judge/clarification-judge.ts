import { z } from "zod";
import type { ClarificationVerdict } from "../metric/index.ts";
import type { TunableProgram } from "../program/index.ts";
import { predict, program } from "../program/index.ts";
import { signature, text } from "../signature/index.ts";
import type { Judge } from "./judge.ts";
import { runJudge } from "./judge.ts";

const decision = z.enum(["yes", "no"]);

const clarification = signature({
  name: "judge-clarification",
  instruction: `Is the response, in the main, a request to the user to say what was meant or to add what is missing?
yes: it asks which of several things is meant, or bids the user name the missing detail, with a question mark or without.
no: it answers; or it says that it cannot answer, even for want of a detail, and does not ask for that detail; or its question is about something else.`,
  input: { response: text("response", "The response to judge.") },
  output: {
    explanation: text("explanation", "Why, in one sentence."),
    decision: decision.describe("Whether the response asks back."),
  },
});

/** Detects responses that ask the user back. */
const clarificationProgram: TunableProgram<
  { readonly response: string },
  { readonly decision: "yes" | "no" }
> = program({
  name: "clarification-judge",
  version: "1",
  input: { response: text("response") },
  output: { decision },
  predictors: { judgeClarification: predict(clarification) },
  forward: async (given, { predictors }) => {
    const judged = await predictors.judgeClarification(given);
    return { decision: judged.decision };
  },
});

/** Whether a response asks what the user meant; the judge chooses between two words. */
export const judgeClarification: Judge<
  { readonly response: string },
  ClarificationVerdict
> = async (given, run) => {
  const { decision } = await runJudge(clarificationProgram, given, run);
  return decision === "yes" ? 1 : 0;
};
