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
import type { Evaluator, JudgedRun } from "./evaluator.ts";
import { faultRetries } from "./evaluator.ts";
import type { Rollout, RolloutLesson } from "./rollout.ts";
import { predictorsIn, decisionsOf, stepsOf } from "./rollout.ts";
import type { OptimizerTask } from "../task/program-space.ts";
import type { Runner, Spending } from "../../runner/index.ts";
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
    runner = inProcess,
    spending,
    ...options
  }: ProgramEvaluatorOptions,
): Evaluator {
  const examples = examplesById(splits);
  // Concurrent requests share the queue's slots.
  const queue = new PQueue({ concurrency: options.concurrency });
  return {
    evaluate: async (request) => {
      const { candidate, split, exampleIds, scope, signal, repetition = 0, temperature } = request;
      const teacher = request.lm === "teacher" ? teacherLm : undefined;
      const role = teacher === undefined ? "student" : "teacher";
      const isOwn =
        teacher === undefined && request.gold === undefined && temperature === undefined;
      const judging = new Map<string, readonly LmUsage[]>();
      const note = (exampleId: string, { score, trace }: JudgedTrace): void => {
        request.onRollout({
          exampleId,
          ...usageIn(trace, judging.get(exampleId) ?? [], role),
          worst: gate.worstOf(scope, exampleId),
          ...judgedRollout(score, trace, request.keepsLessons),
          ...(score.kind !== "unscored" && measuresLatency && { latencyMs: trace.latencyMs }),
        });
        onRun?.({ candidate, split, isOwn, exampleId, score, trace });
      };
      const goldOf = (exampleId: string): Pick<RunOptions, "gold"> => {
        const of = request.gold ?? "";
        const part = getOwn(gold ?? {}, of)?.(examples(split, exampleId)) ?? null;
        return part === null ? {} : { gold: { [of]: part } };
      };
      const sampled = temperature === undefined ? {} : { temperature };
      /** Each result is known before it is used; one of a fault may still change. */
      const observed: Runner = {
        run: async (given) => {
          const { id } = given.example;
          const options = { ...given.options, ...goldOf(id) };
          const outcome = await queue.add(() => runner.run({ ...given, ...sampled, options }));
          if (outcome.state === "stopped") return outcome;
          if (outcome.judging.length > 0) judging.set(id, outcome.judging);
          const isFinal = outcome.state === "finished" && outcome.run.score.kind !== "unscored";
          if (isFinal) note(id, outcome.run);
          return outcome;
        },
      };
      const isPredictor = (name: string): boolean => Object.hasOwn(program.predictors, name);
      const ofPredictors = (asked: LanguageModel): LanguageModel =>
        atTemperature(gate.wrap(asked, scope), temperature);
      const gated = Object.entries(lms)
        .filter(([name]) => teacher === undefined || !isPredictor(name))
        .map(([name, other]): [string, LanguageModel] => [
          name,
          isPredictor(name) ? ofPredictors(other) : gate.wrap(other, scope),
        ]);
      const { rows } = await evaluate({
        ...options,
        faultRetries,
        program: program.with(candidate),
        metric: objective,
        runner: observed,
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
      for (const row of rows) if (row.score.kind === "unscored") note(row.exampleId, row);
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
      problem: `An optimizer requested an example from split \`${split}\`, which it cannot read`,
      expected: "an id in `train` or `val`; optimizers cannot read `test`",
      got: `\`${id}\``,
    });
  };
}

type JudgedTrace = Pick<JudgedRun, "score" | "trace">;

/** Usage of a run and of the last attempt to judge it. */
function usageIn(
  trace: Trace,
  judging: readonly LmUsage[],
  role: "student" | "teacher",
): Pick<Rollout, "usage" | "usageByRole"> {
  const ofProgram = usageByRoleOf(trace.children, role);
  const judge = judging.length > 0 && { judge: sumUsage(judging.map(oneCall)) };
  const usageByRole = { ...ofProgram, ...judge };
  const isPlain = Object.keys(usageByRole).every((each) => each === "student");
  return { usage: totalUsage(ofProgram), ...(!isPlain && { usageByRole }) };
}

/** What a run says of the candidate; one left unscored by a fault, little. */
function judgedRollout(
  score: Score,
  trace: Trace,
  keepsLessons: boolean,
): Pick<Rollout, "score" | "ran" | "decisions" | "invalid" | "lesson"> {
  const ran = predictorsIn(trace);
  if (score.kind === "unscored")
    return { score: { kind: score.kind, failure: score.failure }, ran };
  const decisions = decisionsOf(trace);
  return {
    score: keptScore(score),
    ran,
    ...(decisions.length > 0 && { decisions }),
    ...(trace.failure?.kind === "format" && { invalid: excerpt(trace.failure.message, 400) }),
    ...(keepsLessons && { lesson: lessonOf(score, trace) }),
  };
}

function keptScore(score: Exclude<Score, { readonly kind: "unscored" }>): Rollout["score"] {
  if (score.kind === "not-applicable") return { kind: score.kind };
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
