import type PQueue from "p-queue";
import type { JsonObject, LmUsage, RunOptions, Score, Trace } from "../../contract/index.ts";
import { excerpt } from "../../internal/index.ts";
import type { Runner, RunOutcome, RunRecord } from "../../runner/index.ts";
import type { CallGate } from "../budget/index.ts";
import { oneCall, sumUsage, totalUsage, usageByRoleOf } from "../budget/index.ts";
import type { EvaluatorRequest } from "./evaluator.ts";
import type { JudgedRun } from "./judged-run.ts";
import type { Rollout, RolloutLesson } from "./rollout.ts";
import { decisionsOf, predictorsIn, stepsOf } from "./rollout.ts";

/** Wraps a runner with observers, so that each result is known before it is used. */
export function observedRunner(
  runner: Runner,
  {
    keepsLessons,
    scope,
    temperature,
    onRollout,
    onRun,
    gate,
    queue,
    measuresLatency,
    goldOf,
    role,
  }: Omit<EvaluatorRequest, "gold"> & {
    /** Absent when nobody listens. */
    readonly onRun: ((run: Pick<JudgedRun, "exampleId" | "score" | "trace">) => void) | undefined;
    readonly gate: CallGate;
    readonly queue: PQueue;
    readonly measuresLatency: boolean;
    readonly goldOf: (exampleId: string) => Pick<RunOptions, "gold">;
    /** Whose calls those of predictors are. */
    readonly role: "student" | "teacher";
  },
): {
  readonly runner: Runner;
  /** Usage of an example's run and of the last attempt to judge it. */
  readonly usageOn: (exampleId: string, trace: Trace) => SpentOnRollout;
} {
  const judging = new Map<string, readonly LmUsage[]>();
  const usageOn = (exampleId: string, trace: Trace): SpentOnRollout => {
    const ofProgram = usageByRoleOf(trace.children, role);
    const judge = judging.get(exampleId) ?? [];
    const usageByRole = {
      ...ofProgram,
      ...(judge.length > 0 && { judge: sumUsage(judge.map(oneCall)) }),
    };
    const isPlain = Object.keys(usageByRole).every((each) => each === "student");
    return { usage: totalUsage(ofProgram), ...(!isPlain && { usageByRole }) };
  };
  const note = (exampleId: string, { score, trace }: RunRecord): void => {
    const kept = keptScore(score);
    if (kept === undefined) return;
    const decisions = decisionsOf(trace);
    onRollout({
      exampleId,
      score: kept,
      ran: predictorsIn(trace),
      ...usageOn(exampleId, trace),
      ...(measuresLatency && { latencyMs: trace.latencyMs }),
      worst: gate.worstOf(scope, exampleId),
      ...(decisions.length > 0 && { decisions }),
      ...(trace.failure?.kind === "format" && { invalid: excerpt(trace.failure.message, 400) }),
      ...(keepsLessons && { lesson: lessonOf(score, trace) }),
    });
    onRun?.({ exampleId, score, trace });
  };
  const sampled = temperature === undefined ? {} : { temperature };
  return {
    runner: {
      run: async <TInput, TOutput, TLabels>(
        given: Parameters<typeof runner.run<TInput, TOutput, TLabels>>[0],
      ): Promise<RunOutcome<TOutput>> => {
        const { id } = given.example;
        const options = { ...given.options, ...goldOf(id) };
        const outcome = await queue.add(() => runner.run({ ...given, ...sampled, options }));
        if (outcome.state === "stopped") return outcome;
        if (outcome.judging.length > 0) judging.set(id, outcome.judging);
        if (outcome.state === "finished") note(id, outcome.run);
        return outcome;
      },
    },
    usageOn,
  };
}

type SpentOnRollout = Pick<Rollout, "usage" | "usageByRole">;

/** `undefined` for a result that may still change, a fault. */
function keptScore(score: Score): Rollout["score"] | undefined {
  if (score.kind === "not-applicable") return { kind: "not-applicable" };
  if (score.kind !== "scored") return undefined;
  const { value, objectives } = score;
  return { kind: "scored", value, ...(objectives && { objectives }) };
}

function lessonOf(score: Score, trace: Trace): RolloutLesson {
  const { feedback, blame } = score.kind === "scored" ? score : {};
  return {
    ...(feedback !== undefined && { feedback }),
    ...(blame !== undefined && { blame }),
    ...(trace.failure !== undefined && { failure: trace.failure }),
    steps: stepsOf(trace),
    ...(trace.output !== undefined && { output: beginningOf(trace.output) }),
  };
}

/**
 * Truncates the output: it may be a long list of passages, and the run's log keeps every lesson.
 */
function beginningOf(output: JsonObject): string {
  const text = JSON.stringify(output);
  return text.length <= 1_000 ? text : `${text.slice(0, 990)} ...`;
}
