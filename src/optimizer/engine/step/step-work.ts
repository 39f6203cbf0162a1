import type { Json, LanguageModel } from "../../../contract/index.ts";
import { allOrAbort } from "../../../internal/index.ts";
import type { CallGate, RoleUsage } from "../../budget/index.ts";
import { sumUsage } from "../../budget/index.ts";
import type { Asked, OptimizerRun } from "../../contract/optimizer.ts";
import type { EvaluateRequest, Evaluator, Rollout } from "../../evaluation/index.ts";
import { usageOfRollouts } from "../../evaluation/index.ts";
import type { Predictor } from "../../../program/index.ts";
import type { WorkLog } from "../../run-folder/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../../../signature/index.ts";
import { askOnce } from "./ask-once.ts";
import type { Prospects } from "./prospects.ts";
import { recordedRollouts } from "./recorded-rollouts.ts";
import { noReflectionLm } from "./session-errors.ts";

/** The work of a step. */
export interface StepWork<TResult> {
  /** What counts under caps of its own. */
  readonly counts: { readonly metricCalls: number; readonly reflectionCalls: number };
  run(signal: AbortSignal): Promise<{ readonly result: TResult; readonly usage: RoleUsage }>;
}

/** The work that each kind of request of an optimizer is. */
export interface StepWorks {
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

export interface WorkParts {
  readonly evaluator: Evaluator;
  readonly log: WorkLog;
  readonly gate: CallGate;
  readonly seed: number;
  /** Journaled; absent when nothing in the run uses a reflection LM. */
  readonly reflectionLm?: LanguageModel;
  readonly faultRetries: number;
  /** Metric calls per rollout. */
  readonly repetitions: number;
  readonly onRollout: () => void;
  readonly prospects: Prospects;
}

export function stepWorks({
  evaluator,
  log,
  gate,
  seed,
  reflectionLm,
  faultRetries,
  repetitions,
  onRollout: onDone,
  prospects,
}: WorkParts): StepWorks {
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
