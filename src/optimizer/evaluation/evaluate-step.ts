import type {
  Attempt,
  Example,
  LanguageModel,
  Metric,
  Runnable,
  Score,
  Trace,
} from "../../contract/index.ts";
import { evaluate } from "../../evaluate/index.ts";
import type { Clock } from "../../internal/index.ts";
import type { CallGate } from "../budget/index.ts";
import { noUsage, usageOf } from "../budget/index.ts";
import type { WorkLog } from "../journal/index.ts";
import type { Rollout, RolloutLesson } from "./rollout.ts";
import { stepsOf } from "./rollout.ts";

export interface EvaluateStepOptions<TInput, TOutput, TLabels> {
  readonly program: Runnable<TInput, TOutput>;
  readonly metric: Metric<TInput, TOutput, TLabels>;
  readonly examples: readonly Example<TInput, TLabels>[];
  /** Whether to keep feedback and traces; never for examples that select. */
  readonly keepsLessons: boolean;
  /** The step's number; its rollouts are logged under it. */
  readonly step: number;
  readonly log: WorkLog;
  readonly gate: CallGate;
  readonly lm: LanguageModel;
  readonly lms?: Readonly<Record<string, LanguageModel>> | undefined;
  readonly seed: number;
  readonly concurrency: number;
  readonly faultRetries: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called as rollouts end, with the number of those that have. */
  readonly onProgress: (done: number) => void;
}

/**
 * Runs and judges what the log does not hold yet, and logs each rollout as soon as it is judged. What
 * faults left unscored is logged only when the whole step has ended, since it may yet be scored.
 */
export async function evaluateStep<TInput, TOutput, TLabels>(
  options: EvaluateStepOptions<TInput, TOutput, TLabels>,
): Promise<readonly Rollout[]> {
  const { examples, step, log, gate, onProgress } = options;
  const held = new Map(log.rollouts(step));
  for (const { usage, worst } of held.values()) gate.addRecorded(usage, worst);
  const missing = examples.filter(({ id }) => !held.has(id));
  const before = examples.length - missing.length;
  if (missing.length > 0) {
    const judged = judgedRollouts(options, (rollout) => {
      log.addRollout(step, rollout);
      held.set(rollout.exampleId, rollout);
    });
    const { lm, lms, seed, concurrency, faultRetries, signal, clock } = options;
    const { rows } = await evaluate({
      ...judged,
      examples: missing,
      lm,
      ...(lms && { lms }),
      seed,
      concurrency,
      faultRetries,
      resamples: 0,
      signal,
      clock,
      onEvent: (event) => {
        if (event.kind === "example-end") onProgress(before + event.done);
      },
    });
    for (const { exampleId, score, trace } of rows) {
      if (score.kind !== "unscored" || held.has(exampleId)) continue;
      const { failure } = score;
      const usage = usageOf(trace.children);
      const worst = gate.worstOf(exampleId);
      const rollout: Rollout = { exampleId, score: { kind: "unscored", failure }, usage, worst };
      log.addRollout(step, rollout);
      held.set(exampleId, rollout);
    }
  }
  return examples.flatMap(({ id }) => held.get(id) ?? []);
}

/** The program and the metric, with an ear on each: what was judged is known before it is used. */
function judgedRollouts<TInput, TOutput, TLabels>(
  { program, metric, keepsLessons, gate }: EvaluateStepOptions<TInput, TOutput, TLabels>,
  onJudged: (rollout: Rollout) => void,
): {
  readonly program: Runnable<TInput, TOutput>;
  readonly metric: Metric<TInput, TOutput, TLabels>;
} {
  const attempts = new Map<string, Attempt<TOutput>>();
  const note = (exampleId: string, score: Score): Score => {
    const attempt = attempts.get(exampleId);
    const kept = keptScore(score);
    if (kept === undefined) return score;
    onJudged({
      exampleId,
      score: kept,
      usage: attempt === undefined ? noUsage : usageOf(attempt.trace.children),
      worst: gate.worstOf(exampleId),
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
        const attempt = await program.attempt(input, runOptions);
        attempts.set(runOptions.exampleId ?? "", attempt);
        return attempt;
      },
    },
    metric: {
      name: metric.name,
      version: metric.version,
      doScore: async (given) => note(given.example.id, await metric.doScore(given)),
      scoreFormatFailure: (failure, example) =>
        note(example.id, metric.scoreFormatFailure(failure, example)),
    },
  };
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
  const trace: Trace = attempt.trace;
  return {
    ...(feedback !== undefined && { feedback }),
    ...(blame !== undefined && { blame }),
    ...(attempt.state === "failed" && { failure: attempt.failure }),
    steps: stepsOf(trace),
  };
}
