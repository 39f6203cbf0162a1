import type { ReceivedRequest, ScriptedLm, ScriptedReply } from "../../support/scripted-lm.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

export type Step =
  | "generate-queries"
  | "build-notes"
  | "classify-answerability"
  | "write-complete-answer"
  | "write-partial-answer"
  | "ask-clarification";

/**
 * What each step replies in its n-th round, from 1; a correction belongs to the round it corrects.
 */
export type Script = Partial<Record<Step, (round: number) => ScriptedReply>>;

export interface ScriptedSteps extends ScriptedLm {
  /** Every request of one step, in order. */
  asked(step: Step): readonly ReceivedRequest[];
}

/** A language-model server that replies sensibly to every step, and as the test says to some. */
export async function scriptedSteps(script: Script = {}): Promise<ScriptedSteps> {
  const replies = { ...sensible, ...script };
  const rounds = new Map<Step, number>();
  const server = await scriptedLm((request) => {
    const step = stepOf(request);
    const round = (rounds.get(step) ?? 0) + (request.messages.length === 2 ? 1 : 0);
    rounds.set(step, round);
    return replies[step](round);
  });
  return {
    ...server,
    asked: (step) => server.received.filter((request) => stepOf(request) === step),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The first message of the user: the fields of the step. */
export function fieldsOf({ messages }: ReceivedRequest): string {
  return messages.find(({ role }) => role === "user")?.content ?? "";
}

/** A reply of the query generator. */
export function queriesReply(
  queries: readonly [string, string, string],
  { rerank, final }: { readonly rerank: string; readonly final: string },
): string {
  const [query1, query2, query3] = queries;
  return JSON.stringify({
    reasoning: "Look it up.",
    query1,
    query2,
    query3,
    rerankQuery: rerank,
    finalRerankQuery: final,
  });
}

/** A reply of the classifier; confidences in the order of the labels. */
export const judged = (
  label: string,
  [answerable, partial, unanswerable]: readonly number[] = [0.5, 0.3, 0.2],
): string => JSON.stringify({ label, answerable, partial, unanswerable });

const sensible: Record<Step, (round: number) => ScriptedReply> = {
  "generate-queries": (round) =>
    queriesReply(
      [`iron footbridge ${round}`, `Ostrel river crossing ${round}`, `finished in ${round}`],
      { rerank: `footbridge of Ostrel, round ${round}`, final: `iron footbridge, after ${round}` },
    ),
  "build-notes": (round) =>
    JSON.stringify({
      reasoning: "What is there?",
      keyFindings: `finding ${round}`,
      missingInfo: `gap ${round}`,
      searchSuggestions: `try ${round}`,
    }),
  "classify-answerability": () => judged("ANSWERABLE"),
  "write-complete-answer": () => JSON.stringify({ answer: "In 1902." }),
  "write-partial-answer": () => JSON.stringify({ answer: "In 1902, I think." }),
  "ask-clarification": () => JSON.stringify({ answer: "Which bridge?" }),
};

function stepOf({ response_format: format }: ReceivedRequest): Step {
  return format?.json_schema.name as Step;
}
