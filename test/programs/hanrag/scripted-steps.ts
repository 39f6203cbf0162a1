import type { ReceivedRequest, ScriptedLm, ScriptedReply } from "../../support/scripted-lm.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

export type Step =
  | "route-question"
  | "decompose-question"
  | "refine-question"
  | "judge-relevance"
  | "judge-ending"
  | "answer-from-passages"
  | "answer-from-steps"
  | "answer-directly";

/** What each step replies to what it is asked: the user's message with all its fields. */
export type Script = Partial<Record<Step, Answering>>;
type Answering = (fields: string) => ScriptedReply | Promise<ScriptedReply>;

export interface ScriptedSteps extends ScriptedLm {
  /** Every request of one step, in order of arrival, corrections left out. */
  asked(step: Step): readonly string[];
}

/** A language-model server that replies sensibly to every step, and as the test says to some. */
export async function scriptedSteps(script: Script = {}): Promise<ScriptedSteps> {
  const replies = { ...sensible, ...script };
  const server = await scriptedLm((request) => replies[stepOf(request)](fieldsOf(request)));
  return {
    ...server,
    asked: (step) =>
      server.received
        .filter((request) => stepOf(request) === step && request.messages.length === 2)
        .map(fieldsOf),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export const route = (name: string) => () => JSON.stringify({ route: name });
export const relevant = (isRelevant: boolean): string => JSON.stringify({ isRelevant });
export const solved = (isSolved: boolean): string => JSON.stringify({ isSolved });
export const seed = (seedQuestion: string): string => JSON.stringify({ seedQuestion });
export const answer = (text: string): string => JSON.stringify({ answer: text });
export const parts = (...subQuestions: readonly string[]): string =>
  JSON.stringify({ reasoning: "It asks for several things.", subQuestions });

/** How many steps the fields tell as solved. */
export function solvedIn(fields: string): number {
  return fields.match(/^(?:Thought: )?Question \d+: /gm)?.length ?? 0;
}

const sensible: Record<Step, Answering> = {
  "route-question": route("single-step"),
  "decompose-question": () =>
    parts("When was the lighthouse of Varnholm built?", "When was the footbridge of Ostrel built?"),
  "refine-question": (fields) => seed(`What is fact ${solvedIn(fields) + 1} of Ostrel?`),
  "judge-relevance": (fields) => relevant(/the people of/.test(fields)),
  "judge-ending": (fields) => solved(solvedIn(fields) >= 2),
  "answer-from-passages": (fields) => answer(/Ostrel/.test(fields) ? "1902" : "1871"),
  "answer-from-steps": () => answer("1871 && 1902"),
  "answer-directly": () => answer("Twelve"),
};

function stepOf({ response_format: format }: ReceivedRequest): Step {
  return format?.json_schema.name as Step;
}

function fieldsOf({ messages }: ReceivedRequest): string {
  return messages.find(({ role }) => role === "user")?.content ?? "";
}
