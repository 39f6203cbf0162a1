import type { JsonObject, ParameterValue, Passage, Trace, Turn } from "espalier";
import type { GenerationOptions, GenerationStage } from "../../../programs/ails-ntua/index.ts";
import { ailsAnswer, ailsGeneration } from "../../../programs/ails-ntua/index.ts";
import type { AnswerScript, AnswerSteps } from "./answer-steps.ts";
import { answerSteps, history, passages, question } from "./answer-steps.ts";

export interface AnsweredTurn {
  readonly script?: AnswerScript;
  readonly question?: string;
  readonly history?: readonly Turn[];
  readonly passages?: readonly Passage[];
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly seed?: number;
  readonly upTo?: GenerationStage;
}

export interface Answered {
  readonly answer: string;
  readonly output: JsonObject;
  readonly notes: Trace["notes"];
  /** The predictors that were asked, in order. */
  readonly asked: readonly string[];
  /** What each predictor was given, in its last call. */
  readonly inputs: Readonly<Record<string, JsonObject>>;
  readonly server: AnswerSteps;
}

/** One turn through Task B. The user judge is left out unless a test sets its rate. */
export const generated = (turn: AnsweredTurn = {}): Promise<Answered> =>
  answeredBy(ailsGeneration(optionsOf(turn)), turn);

/** One turn through Task C after retrieval. */
export const gated = (turn: AnsweredTurn = {}): Promise<Answered> =>
  answeredBy(ailsAnswer(optionsOf(turn)), turn);

const optionsOf = ({ seed, upTo }: AnsweredTurn): GenerationOptions => ({
  ...(seed !== undefined && { seed }),
  ...(upTo !== undefined && { upTo }),
});

async function answeredBy(
  answering: ReturnType<typeof ailsGeneration> | ReturnType<typeof ailsAnswer>,
  { script, parameters, ...turn }: AnsweredTurn,
): Promise<Answered> {
  await using server = await answerSteps(script);
  const values = Object.entries({ userJudgeRate: 0, ...parameters });
  const bound = answering.with(
    values.map(([path, value]) => ({ kind: "parameter", path, value }) as const),
  );
  const given = {
    question: turn.question ?? question,
    history: turn.history ?? history,
    passages: turn.passages ?? passages,
  };
  const attempt = await bound.attempt(given, { lm: server.lm });
  if (attempt.state === "failed") throw attempt.error;
  const { output, trace } = attempt;
  const inputs = Object.fromEntries(
    trace.children.flatMap((call) =>
      call.kind === "predictor" ? [[call.predictor, call.inputs]] : [],
    ),
  );
  const { answer } = output;
  return {
    answer,
    output,
    notes: trace.notes,
    asked: server.asked(),
    inputs,
    server,
  };
}
