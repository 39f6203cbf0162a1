import PQueue from "p-queue";
import type {
  Example,
  LanguageModel,
  SplitName,
  JsonObject,
  LmUsage,
  RunOptions,
  Score,
  Trace,
} from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { evaluate } from "../../evaluate/index.ts";
import type { Clock } from "../../internal/index.ts";
import { getOwn, excerpt } from "../../internal/index.ts";
import { atTemperature } from "../../lm/files.ts";
import type { CallGate } from "../budget/index.ts";
import { oneCall, sumUsage, totalUsage, usageByRoleOf } from "../budget/index.ts";
import type { Evaluator, JudgedRun, EvaluatorRequest } from "./evaluator.ts";
import type { Rollout, RolloutLesson } from "./rollout.ts";
import { predictorsIn, decisionsOf, stepsOf } from "./rollout.ts";
import type { OptimizerTask } from "../task/program-space.ts";
import type { Runner, Spending, RunOutcome, RunRecord } from "../../runner/index.ts";
import { inProcess } from "../../runner/index.ts";

interface ProgramEvaluatorOptions {
  readonly gate: CallGate;
  readonly lm: LanguageModel;
  readonly lms: Readonly<Record<string, LanguageModel>>;
  readonly judgeLm: LanguageModel;
  readonly wrapTool: (tool: LanguageModel) => LanguageModel;
  readonly allowsSideEffects: boolean;
  /** Absent: the student is the teacher. */
  readonly teacherLm?: LanguageModel;
  /** @default this process */
  readonly runner?: Runner | undefined;
  /** The caps on calls and money, for a runner elsewhere. */
  readonly spending?: Spending | undefined;
  readonly seed: number;
  readonly concurrency: number;
  readonly faultRetries: number;
  readonly clock: Clock;
  /** Whether rollouts record their duration. */
  readonly measuresLatency: boolean;
  /** Must not throw. */
  readonly onRun?: ((run: JudgedRun) => void) | undefined;
}

/** Runs a program with a candidate's components and judges it by the task's objective. */
export function programEvaluator<TInput, TOutput, TLabels>(
  { program, trainset: { splits }, objective, gold }: OptimizerTask<TInput, TOutput, TLabels>,
  {
    gate,
    lm,
    lms,
    judgeLm,
    teacherLm,
    measuresLatency,
    onRun,
    wrapTool,
    runner: chosenRunner = inProcess,
    spending,
    ...options
  }: ProgramEvaluatorOptions,
): Evaluator {
  const examples = examplesById(splits);
  // Concurrent requests share the queue's slots.
  const queue = new PQueue({ concurrency: options.concurrency });
  return {
    evaluate: async (request) => {
      const { candidate, split, exampleIds, scope, signal, onRollout } = request;
      const { repetition = 0, temperature } = request;
      const teacher = request.lm === "teacher" ? teacherLm : undefined;
      const role = teacher === undefined ? "student" : "teacher";
      const reported = new Set<string>();
      const report = (rollout: Rollout): void => {
        reported.add(rollout.exampleId);
        onRollout(rollout);
      };
      const isOwn =
        teacher === undefined && request.gold === undefined && temperature === undefined;
      const noteRun =
        onRun &&
        ((run: Pick<JudgedRun, "exampleId" | "score" | "trace">): void =>
          onRun({ candidate, split, isOwn, ...run }));
      const isPredictor = (name: string): boolean => Object.hasOwn(program.predictors, name);
      const ofPredictors = (asked: LanguageModel): LanguageModel =>
        atTemperature(gate.wrap(asked, scope), temperature);
      const gated = Object.entries(lms)
        .filter(([name]) => teacher === undefined || !isPredictor(name))
        .map(([name, other]): [string, LanguageModel] => [
          name,
          isPredictor(name) ? ofPredictors(other) : gate.wrap(other, scope),
        ]);
      const { usageOn, runner } = observedRunner(chosenRunner, {
        ...request,
        onRollout: report,
        onRun: noteRun,
        gate,
        queue,
        measuresLatency,
        role,
        goldOf: (exampleId) => {
          const of = request.gold ?? "";
          const part = getOwn(gold ?? {}, of)?.(examples(split, exampleId)) ?? null;
          return part === null ? {} : { gold: { [of]: part } };
        },
      });
      const { rows } = await evaluate({
        ...options,
        program: program.with(candidate),
        metric: objective,
        runner,
        ...(spending && { spending }),
        examples: exampleIds.map((id) => examples(split, id)),
        lm: ofPredictors(teacher ?? lm),
        role,
        lms: Object.fromEntries(gated),
        judgeLm: gate.wrap(judgeLm, scope),
        wrapTool: (tool) => gate.wrap(wrapTool(tool), scope),
        firstRepetition: repetition,
        resamples: 0,
        stopsOnAbsence: true,
        signal,
      });
      for (const { exampleId, score, trace } of rows) {
        if (score.kind !== "unscored" || reported.has(exampleId)) continue;
        noteRun?.({ exampleId, score, trace });
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
          problem: `The aggregate of metric \`${objective.name}\` is not a finite number`,
          got: String(value),
        });
      },
    }),
  };
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
      problem: `An optimizer requested an example of split \`${split}\` that it cannot read`,
      expected: "an id in `train` or `val`; optimizers cannot read `test`",
      got: `\`${id}\``,
    });
  };
}

/** Wraps a runner with observers, so that each result is known before it is used. */
function observedRunner(
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
    /** Absent without a listener. */
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
