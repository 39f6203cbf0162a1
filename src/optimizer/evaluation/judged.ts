import type PQueue from "p-queue";
import type {
  Attempt,
  JsonObject,
  LanguageModel,
  Metric,
  Runnable,
  RunOptions,
  Score,
  Trace,
} from "../../contract/index.ts";
import type { CallGate, Usage } from "../budget/index.ts";
import { oneCall, sumUsage, totalUsage, usageByRoleOf } from "../budget/index.ts";
import type { EvaluatorRequest } from "./evaluator.ts";
import type { JudgedRun } from "./judged-run.ts";
import type { Rollout, RolloutLesson } from "./rollout.ts";
import { decisionsOf, predictorsIn, stepsOf } from "./rollout.ts";

/** Wraps the program and the metric with observers, so each result is known before it is used. */
export function judged<TInput, TOutput, TLabels>(
  program: Runnable<TInput, TOutput>,
  metric: Metric<TInput, TOutput, TLabels>,
  {
    keepsLessons,
    scope,
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
  readonly program: Runnable<TInput, TOutput>;
  readonly metric: Metric<TInput, TOutput, TLabels>;
  /** Usage of an example's run and of the last attempt to judge it. */
  readonly usageOn: (exampleId: string, trace: Trace | undefined) => SpentOnRollout;
} {
  const attempts = new Map<string, Attempt<TOutput>>();
  const judging = new Map<string, Usage>();
  const usageOn = (exampleId: string, trace: Trace | undefined): SpentOnRollout => {
    const ofProgram = usageByRoleOf(trace?.children ?? [], role);
    const judge = judging.get(exampleId);
    const usageByRole = { ...ofProgram, ...(judge && { judge }) };
    const isPlain = Object.keys(usageByRole).every((role) => role === "student");
    return { usage: totalUsage(ofProgram), ...(!isPlain && { usageByRole }) };
  };
  const note = (exampleId: string, score: Score): Score => {
    const attempt = attempts.get(exampleId);
    const kept = keptScore(score);
    if (kept === undefined) return score;
    const decisions = attempt === undefined ? [] : decisionsOf(attempt.trace);
    onRollout({
      exampleId,
      score: kept,
      ran: attempt === undefined ? [] : predictorsIn(attempt.trace),
      ...usageOn(exampleId, attempt?.trace),
      ...(measuresLatency && attempt && { latencyMs: attempt.trace.latencyMs }),
      worst: gate.worstOf(scope, exampleId),
      ...(decisions.length > 0 && { decisions }),
      ...(keepsLessons && attempt !== undefined ? { lesson: lessonOf(score, attempt) } : {}),
    });
    if (attempt !== undefined) onRun?.({ exampleId, score, trace: attempt.trace });
    attempts.delete(exampleId);
    return score;
  };
  return {
    program: {
      name: program.name,
      version: program.version,
      inputProblem: (input) => program.inputProblem(input),
      attempt: async (input, runOptions) => {
        const { exampleId = "" } = runOptions;
        const options = { ...runOptions, ...goldOf(exampleId) };
        const attempt = await queue.add(() => program.attempt(input, options));
        attempts.set(exampleId, attempt);
        return attempt;
      },
    },
    metric: {
      name: metric.name,
      version: metric.version,
      doScore: async (given) => {
        const { id } = given.example;
        judging.delete(id);
        const lm =
          given.lm && metered(given.lm, (usage) => judging.set(id, sumOf(judging.get(id), usage)));
        return note(id, await metric.doScore({ ...given, ...(lm && { lm }) }));
      },
      scoreFormatFailure: (failure, example) =>
        note(example.id, metric.scoreFormatFailure(failure, example)),
    },
    usageOn,
  };
}

type SpentOnRollout = Pick<Rollout, "usage" | "usageByRole">;

function metered(lm: LanguageModel, onUsage: (usage: Usage) => void): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: async (request, options) => {
      const reply = await lm.doGenerate(request, options);
      onUsage(oneCall(reply.usage));
      return reply;
    },
  };
}

function sumOf(before: Usage | undefined, usage: Usage): Usage {
  return before === undefined ? usage : sumUsage([before, usage]);
}

/** `undefined` for results that may still change: faults, and anything that is not a score. */
function keptScore(score: Score): Rollout["score"] | undefined {
  if (score.kind === "not-applicable") return { kind: "not-applicable" };
  if (score.kind !== "scored" || !Number.isFinite(score.value)) return undefined;
  const { value, objectives } = score;
  return { kind: "scored", value, ...(objectives && { objectives }) };
}

function lessonOf(score: Score, attempt: Attempt<unknown>): RolloutLesson {
  const { feedback, blame } = score.kind === "scored" ? score : {};
  return {
    ...(feedback !== undefined && { feedback }),
    ...(blame !== undefined && { blame }),
    ...(attempt.state === "failed" && { failure: attempt.failure }),
    steps: stepsOf(attempt.trace),
    ...(attempt.trace.output !== undefined && { output: beginningOf(attempt.trace.output) }),
  };
}

/**
 * Truncates the output: it may be a long list of passages, and the run's log keeps every lesson.
 */
function beginningOf(output: JsonObject): string {
  const text = JSON.stringify(output);
  return text.length <= 1_000 ? text : `${text.slice(0, 990)} ...`;
}
