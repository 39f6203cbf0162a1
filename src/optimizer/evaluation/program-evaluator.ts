import PQueue from "p-queue";
import type {
  Attempt,
  Example,
  JsonObject,
  LanguageModel,
  Metric,
  Runnable,
  Score,
  SplitName,
  Trace,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { evaluate } from "../../evaluate/index.ts";
import type { Clock } from "../../internal/index.ts";
import type { CallGate, Usage } from "../budget/index.ts";
import { oneCall, sumUsage, totalUsage, usageByRoleOf } from "../budget/index.ts";
import type { OptimizerTask } from "../optimizer.ts";
import type { Evaluator, EvaluatorRequest } from "./evaluator.ts";
import type { Rollout, RolloutLesson } from "./rollout.ts";
import { predictorsIn, stepsOf } from "./rollout.ts";

export interface ProgramEvaluatorOptions {
  readonly gate: CallGate;
  readonly lm: LanguageModel;
  readonly lms: Readonly<Record<string, LanguageModel>>;
  readonly judgeLm: LanguageModel;
  readonly seed: number;
  readonly concurrency: number;
  readonly faultRetries: number;
  readonly clock: Clock;
  /** Whether rollouts say how long they took. */
  readonly measuresLatency: boolean;
}

/** Runs a program with a candidate's components, and judges it by the task's objective. */
export function programEvaluator<TInput, TOutput, TLabels>(
  { program, trainset: { splits }, objective }: OptimizerTask<TInput, TOutput, TLabels>,
  { gate, lm, lms, judgeLm, measuresLatency, ...options }: ProgramEvaluatorOptions,
): Evaluator {
  const examples = examplesById(splits);
  // Requests that are worked on side by side share the places.
  const queue = new PQueue({ concurrency: options.concurrency });
  return {
    evaluate: async (request) => {
      const { candidate, split, exampleIds, scope, repetition = 0, signal, onRollout } = request;
      const told = new Set<string>();
      const tell = (rollout: Rollout): void => {
        told.add(rollout.exampleId);
        onRollout(rollout);
      };
      const gated = Object.entries(lms).map(
        ([name, other]) => [name, gate.wrap(other, scope)] as const,
      );
      const { usageOn, ...heard } = judged(program.with(candidate), objective, {
        ...request,
        onRollout: tell,
        gate,
        queue,
        measuresLatency,
      });
      const { rows } = await evaluate({
        ...options,
        ...heard,
        examples: exampleIds.map((id) => examples(split, id)),
        lm: gate.wrap(lm, scope),
        lms: Object.fromEntries(gated),
        judgeLm: gate.wrap(judgeLm, scope),
        firstRepetition: repetition,
        resamples: 0,
        signal,
      });
      for (const { exampleId, score, trace } of rows) {
        if (score.kind !== "unscored" || told.has(exampleId)) continue;
        onRollout({
          exampleId,
          score: { kind: "unscored", failure: score.failure },
          ran: predictorsIn(trace),
          ...usageOn(exampleId, trace),
          worst: gate.worstOf(scope, exampleId),
        });
      }
    },
    ...(objective.aggregate && {
      aggregate: (split, scored) => {
        const value = objective.aggregate?.(
          scored.map(({ exampleId, ...measures }) => ({
            ...measures,
            example: examples(split, exampleId),
          })),
        );
        if (value !== undefined && Number.isFinite(value)) return value;
        throw new EspalierError({
          code: "metric-failed",
          problem: `The aggregate of metric \`${objective.name}\` returned no finite number`,
          got: String(value),
        });
      },
    }),
  };
}

/** The program and the metric, with an ear on each: what was judged is known before it is used. */
function judged<TInput, TOutput, TLabels>(
  program: Runnable<TInput, TOutput>,
  metric: Metric<TInput, TOutput, TLabels>,
  {
    keepsLessons,
    scope,
    onRollout,
    gate,
    queue,
    measuresLatency,
  }: EvaluatorRequest & {
    readonly gate: CallGate;
    readonly queue: PQueue;
    readonly measuresLatency: boolean;
  },
): {
  readonly program: Runnable<TInput, TOutput>;
  readonly metric: Metric<TInput, TOutput, TLabels>;
  /** What an example's run used, and the last try to judge it. */
  readonly usageOn: (exampleId: string, trace: Trace | undefined) => SpentOnRollout;
} {
  const attempts = new Map<string, Attempt<TOutput>>();
  const judging = new Map<string, Usage>();
  const usageOn = (exampleId: string, trace: Trace | undefined): SpentOnRollout => {
    const ofProgram = usageByRoleOf(trace?.children ?? []);
    const judge = judging.get(exampleId);
    const usageByRole = { ...ofProgram, ...(judge && { judge }) };
    const isPlain = Object.keys(usageByRole).every((role) => role === "student");
    return { usage: totalUsage(ofProgram), ...(!isPlain && { usageByRole }) };
  };
  const note = (exampleId: string, score: Score): Score => {
    const attempt = attempts.get(exampleId);
    const kept = keptScore(score);
    if (kept === undefined) return score;
    onRollout({
      exampleId,
      score: kept,
      ran: attempt === undefined ? [] : predictorsIn(attempt.trace),
      ...usageOn(exampleId, attempt?.trace),
      ...(measuresLatency && attempt && { latencyMs: attempt.trace.latencyMs }),
      worst: gate.worstOf(scope, exampleId),
      ...(keepsLessons && attempt !== undefined ? { lesson: lessonOf(score, attempt) } : {}),
    });
    attempts.delete(exampleId);
    return score;
  };
  return {
    program: {
      name: program.name,
      version: program.version,
      inputProblem: (input) => program.inputProblem(input),
      attempt: async (input, runOptions) => {
        const attempt = await queue.add(() => program.attempt(input, runOptions));
        attempts.set(runOptions.exampleId ?? "", attempt);
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

/** `undefined` for what may yet change: faults, and what is no score. */
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

/** Outputs may be long lists of passages, and the run's log keeps every lesson. */
function beginningOf(output: JsonObject): string {
  const text = JSON.stringify(output);
  return text.length <= 1_000 ? text : `${text.slice(0, 990)} ...`;
}

function examplesById<TInput, TLabels>(
  splits: Readonly<Record<SplitName, readonly Example<TInput, TLabels>[]>>,
): (split: SplitName, id: string) => Example<TInput, TLabels> {
  const byId = {
    train: new Map(splits.train.map((example) => [example.id, example])),
    val: new Map(splits.val.map((example) => [example.id, example])),
  };
  return (split, id) => {
    const found = split === "test" ? undefined : byId[split].get(id);
    if (found !== undefined) return found;
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `An optimizer asked for an example that split \`${split}\` does not lend it`,
      expected: "an id of `train` or `val`; `test` is never lent",
      got: `\`${id}\``,
    });
  };
}
