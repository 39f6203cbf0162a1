import { z } from "zod";
import type { ClarificationVerdict } from "../metric/index.ts";
import type { TunableProgram } from "../program/index.ts";
import { predict, program } from "../program/index.ts";
import { signature, text } from "../signature/index.ts";
import type { Judge } from "./judge.ts";
import { runJudge } from "./judge.ts";

const decision = z.enum(["yes", "no"]);

const judgeClarification = signature({
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
export const clarificationProgram: TunableProgram<
  { readonly response: string },
  { readonly decision: "yes" | "no" }
> = program({
  name: "clarification-judge",
  version: "1",
  input: { response: text("response") },
  output: { decision },
  predictors: { judgeClarification: predict(judgeClarification) },
  forward: async (given, { predictors }) => {
    const judged = await predictors.judgeClarification(given);
    return { decision: judged.decision };
  },
});

/**
 * Whether a response asks what the user meant. The judge chooses between two words; see
 * `clarificationVerdictIn` for the official script's reading of free text.
 */
export function clarificationJudge(
  judging: typeof clarificationProgram = clarificationProgram,
): Judge<{ readonly response: string }, ClarificationVerdict> {
  return async (given, run) => {
    const judged = await runJudge(judging, given, run);
    return judged.decision === "yes" ? 1 : 0;
  };
}

/**
 * Reads from a judge's reply whether a response asks what the user meant, by the rule of the
 * official script (`judge_wrapper.py` of IBM's mt-rag-benchmark, commit cc5b1d4): a JSON object
 * with `decision` "yes" (1) or "no" (0), fenced or with text around it, without the backslashes
 * that are invalid in JSON. Anything else is 0.5.
 */
export function clarificationVerdictIn(reply: string): ClarificationVerdict {
  const decision = decisionOf(reply)?.toLowerCase();
  return decision === "yes" ? 1 : decision === "no" ? 0 : 0.5;
}

function decisionOf(reply: string): string | null {
  const found = reply.includes("```json")
    ? between(reply, "```json", "```")
    : between(reply, "{", "}");
  if (found === null) return null;
  const body = found.replaceAll(/\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/g, "");
  const opened = body.startsWith("{") ? body : `{${body}`;
  try {
    const parsed: unknown = JSON.parse(opened.endsWith("}") ? opened : `${opened}}`);
    const decision = (parsed as { readonly decision?: unknown }).decision;
    return typeof decision === "string" ? decision : null;
  } catch {
    return null;
  }
}

function between(text: string, opening: string, closing: string): string | null {
  const start = text.indexOf(opening) + opening.length;
  const end = text.indexOf(closing, start);
  return start < opening.length || end < 0 ? null : text.slice(start, end).trim();
}
