import type { ClarificationVerdict } from "../metric/index.ts";
import { predict, program } from "../program/index.ts";
import { signature, text } from "../signature/index.ts";
import { clarificationVerdictIn } from "./clarification-verdict-in.ts";
import type { Judge } from "./judge.ts";
import { runJudge } from "./judge.ts";

const judgeClarification = signature({
  name: "judge-clarification",
  instruction: `Is the response, in the main, a request to the user to say what was meant or to add what is missing?
yes: it asks which of several things is meant, or bids the user name the missing detail, with a question mark or without.
no: it answers; or it says that it cannot answer, even for want of a detail, and does not ask for that detail; or its question is about something else.`,
  input: { response: text("response", "The response to judge.") },
  output: {
    explanation: text("explanation", "Why, in one sentence."),
    decision: text("decision", "yes or no."),
  },
});

/** Tells responses that ask back from all others. */
export const clarificationProgram = program({
  name: "clarification-judge",
  version: "1",
  input: { response: text("response") },
  output: { decision: text("decision") },
  predictors: { judgeClarification: predict(judgeClarification) },
  forward: async (given, { predictors }) => {
    const { decision } = await predictors.judgeClarification(given);
    return { decision };
  },
});

/** Whether a response asks what was meant, by the rule of `clarificationVerdictIn`. */
export function clarificationJudge(
  judging: typeof clarificationProgram = clarificationProgram,
): Judge<{ readonly response: string }, ClarificationVerdict> {
  return async (given, run) => {
    const { decision } = await runJudge(judging, given, run);
    return clarificationVerdictIn(JSON.stringify({ decision }));
  };
}
