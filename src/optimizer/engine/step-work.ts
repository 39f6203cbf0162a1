import type { Json, LanguageModel } from "../../contract/index.ts";
import { failureOf, isAbsence, EspalierError } from "../../errors/index.ts";
import { allOrAbort } from "../../internal/index.ts";
import type { CallGate, RoleUsage, Usage } from "../budget/index.ts";
import { sumUsage, usageOf } from "../budget/index.ts";
import type { Asked, OptimizerRun } from "../contract/optimizer.ts";
import type { Prospects } from "./prospects.ts";
import type { Replay } from "./replay.ts";
import type { RunBudget } from "./run-budget.ts";
import type { DescribedRun } from "./run-description.ts";
import type { EvaluateRequest, Evaluator, Rollout } from "../evaluation/index.ts";
import { usageOfRollouts } from "../evaluation/index.ts";
import type { WorkLog } from "../run-folder/index.ts";
import type { Predictor } from "../../program/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../../signature/index.ts";

/** The work of a step. */
export interface StepWork<TResult> {
  /** What counts under caps of its own. */
  readonly counts: { readonly metricCalls: number; readonly reflectionCalls: number };
  run(signal: AbortSignal): Promise<{ readonly result: TResult; readonly usage: RoleUsage }>;
}

/** The work that each kind of request of an optimizer is. */
interface StepWorks {
  evaluate(requests: readonly EvaluateRequest[]): StepWork<readonly (readonly Rollout[])[]>;
  ask<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
    predictor: Predictor<TInput, TOutput>,
    calls: readonly { readonly id: string; readonly inputs: InputOf<TInput> }[],
  ): StepWork<readonly Asked<OutputOf<TOutput>>[]>;
  consult<TValue extends Json>(
    count: number,
    propose: Parameters<OptimizerRun["consult"]>[1],
  ): StepWork<TValue>;
}

/** What the work of steps takes. */
export interface WorkParts {
  readonly evaluator: Evaluator;
  /** Journaled; absent when nothing in the run uses a reflection LM. */
  readonly reflectionLm?: LanguageModel;
  readonly budget: Pick<RunBudget, "gate">;
  readonly replay: Pick<Replay, "log">;
  readonly prospects: Prospects;
  readonly settings: Pick<DescribedRun, "seed" | "faultRetries" | "repetitions">;
}

/** @param onDone called after each rollout */
export function stepWorks(
  {
    evaluator,
    reflectionLm,
    budget: { gate },
    replay: { log },
    prospects,
    settings: { seed, faultRetries, repetitions },
  }: WorkParts,
  onDone: () => void,
): StepWorks {
  /** Number of the request within the steps; the log identifies a request by it. */
  let number = 0;
  return {
    evaluate: (requests) => {
      const rollouts = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
      return {
        counts: { metricCalls: rollouts * repetitions, reflectionCalls: 0 },
        run: async (signal) => {
          const numbered = requests.map((request) => ({ request, number: ++number }));
          const result = await allOrAbort(numbered, signal, ({ request, number }, signal) =>
            recordedRollouts(request, { evaluator, log, gate, number, signal, onDone }),
          );
          prospects.evaluated(requests, result);
          return { result, usage: usageOfRollouts(result.flat()) };
        },
      };
    },
    ask: (predictor, calls) => ({
      counts: { metricCalls: 0, reflectionCalls: calls.length },
      run: async (signal) => {
        if (reflectionLm === undefined) throw noReflectionLm();
        const by = { seed, lm: gate.wrap(reflectionLm), log, gate, faultRetries };
        const numbered = calls.map((call) => ({ ...call, number: ++number }));
        const answers = await allOrAbort(numbered, signal, (call, signal) =>
          askOnce(predictor, { ...call, ...by, signal }),
        );
        const usage = sumUsage(answers.map(({ usage: one }) => one));
        const result = answers.map(({ asked }) => asked);
        prospects.answered(result);
        return { result, usage: { reflection: usage } };
      },
    }),
    consult: <TValue extends Json>(
      count: number,
      propose: Parameters<OptimizerRun["consult"]>[1],
    ): StepWork<TValue> => ({
      counts: { metricCalls: 0, reflectionCalls: count },
      run: async (signal) => {
        const step = ++number;
        const held = log.proposed(step);
        const answer = held ?? propose(signal);
        const isAwaited = answer instanceof Promise;
        const value = isAwaited ? await answer : answer;
        if (held === undefined) log.addProposed(step, value, isAwaited);
        return { result: value as TValue, usage: {} };
      },
    }),
  };
}

/**
 * One call of the reflection LM, retried after a fault. A call without a result is logged as such,
 * except for one that a server's absence left unanswered: a resumed run asks again.
 */
async function askOnce<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
  predictor: Predictor<TInput, TOutput>,
  {
    id,
    inputs,
    number,
    seed,
    lm,
    log,
    gate,
    faultRetries,
    signal,
  }: {
    readonly id: string;
    readonly inputs: InputOf<TInput>;
    /** The call's number within the step; the log identifies the call by it. */
    readonly number: number;
    readonly seed: number;
    readonly lm: LanguageModel;
    readonly log: WorkLog;
    readonly gate: CallGate;
    readonly faultRetries: number;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly usage: Usage; readonly asked: Asked<OutputOf<TOutput>> }> {
  const known = log.failedReflection(number);
  if (known !== undefined) {
    gate.addRecorded({ reflection: known.usage }, known.worst);
    return { usage: known.usage, asked: { ok: false, failure: known.failure } };
  }
  const call = { path: predictor.signature.name, predictor: predictor.signature.name };
  for (let attempt = 0; ; attempt++) {
    const options = { lm, seed, exampleId: id, role: "reflection" as const, signal };
    const result = await predictor.attemptCall(inputs as never, call, options);
    const usage = usageOf([result.trace]);
    if (result.ok) return { usage, asked: { ok: true, outputs: result.outputs } };
    const failure = failureOf(result.error, signal.aborted ? "aborted" : undefined);
    if (failure.kind === "infrastructure" && attempt < faultRetries) continue;
    if (failure.kind !== "infrastructure" && failure.kind !== "format") throw result.error;
    if (isAbsence(failure.code)) throw result.error;
    log.addFailedReflection(number, { failure, usage, worst: gate.worstOf("", id) });
    return { usage, asked: { ok: false, failure } };
  }
}

/** An earlier step was cut short, as the recorded run tells. */
export function budgetOver(detail: string): EspalierError {
  return new EspalierError({
    code: "budget-exhausted",
    problem: "A cap of the budget cut an earlier step short, which ended the run",
    got: detail,
  });
}

/** The reflection LM was asked although the plan had said that it would not be. */
function noReflectionLm(): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: "A proposer or optimizer with `asksReflection: false` asked the reflection LM",
    expected: "a reflection LM, or no calls of `run.ask`",
    got: "a run without a reflection LM",
    fix: "Remove `asksReflection: false`.",
  });
}

/**
 * The requested rollouts, in order; work of this step that the log already holds is not repeated.
 */
async function recordedRollouts(
  request: EvaluateRequest,
  {
    evaluator,
    log,
    gate,
    number,
    signal,
    onDone,
  }: {
    readonly evaluator: Evaluator;
    readonly log: WorkLog;
    readonly gate: CallGate;
    /** The number by which the log identifies the request. */
    readonly number: number;
    readonly signal: AbortSignal;
    readonly onDone: () => void;
  },
): Promise<readonly Rollout[]> {
  const { split, exampleIds } = request;
  const recorded = log.rollouts(number);
  for (const rollout of recorded.values()) {
    gate.addRecorded(usageOfRollouts([rollout]), rollout.worst);
  }
  const missing = recorded.size === 0 ? exampleIds : exampleIds.filter((id) => !recorded.has(id));
  const held = new Map(recorded);
  if (missing.length > 0) {
    await evaluator.evaluate({
      ...request,
      exampleIds: missing,
      keepsLessons: split === "train",
      scope: String(number),
      signal,
      onRollout: (rollout) => {
        log.addRollout(number, rollout);
        held.set(rollout.exampleId, rollout);
        onDone();
      },
    });
  }
  return exampleIds.flatMap((id) => held.get(id) ?? []);
}
