import PQueue from "p-queue";
import type { Example, LanguageModel, SplitName } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { evaluate } from "../../evaluate/index.ts";
import type { Clock } from "../../internal/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { CallGate } from "../budget/index.ts";
import type { OptimizerTask } from "../task/optimizer-task.ts";
import type { Evaluator } from "./evaluator.ts";
import { judged } from "./judged.ts";
import type { Rollout } from "./rollout.ts";
import { predictorsIn } from "./rollout.ts";

export interface ProgramEvaluatorOptions {
  readonly gate: CallGate;
  readonly lm: LanguageModel;
  readonly lms: Readonly<Record<string, LanguageModel>>;
  readonly judgeLm: LanguageModel;
  readonly seed: number;
  readonly concurrency: number;
  readonly faultRetries: number;
  readonly clock: Clock;
  /** Whether rollouts record their duration. */
  readonly measuresLatency: boolean;
}

/** Runs a program with a candidate's components and judges it by the task's objective. */
export function programEvaluator<TInput, TOutput, TLabels>(
  { program, trainset: { splits }, objective, gold }: OptimizerTask<TInput, TOutput, TLabels>,
  { gate, lm, lms, judgeLm, measuresLatency, ...options }: ProgramEvaluatorOptions,
): Evaluator {
  const examples = examplesById(splits);
  // Concurrent requests share the queue's slots.
  const queue = new PQueue({ concurrency: options.concurrency });
  return {
    evaluate: async (request) => {
      const { candidate, split, exampleIds, scope, repetition = 0, signal, onRollout } = request;
      const reported = new Set<string>();
      const report = (rollout: Rollout): void => {
        reported.add(rollout.exampleId);
        onRollout(rollout);
      };
      const gated = Object.entries(lms).map(
        ([name, other]) => [name, gate.wrap(other, scope)] as const,
      );
      const { usageOn, ...callbacks } = judged(program.with(candidate), objective, {
        ...request,
        onRollout: report,
        gate,
        queue,
        measuresLatency,
        goldOf: (exampleId) => {
          const of = request.gold ?? "";
          const part = getOwn(gold ?? {}, of)?.(examples(split, exampleId)) ?? null;
          return part === null ? {} : { gold: { [of]: part } };
        },
      });
      const { rows } = await evaluate({
        ...options,
        ...callbacks,
        examples: exampleIds.map((id) => examples(split, id)),
        lm: gate.wrap(lm, scope),
        lms: Object.fromEntries(gated),
        judgeLm: gate.wrap(judgeLm, scope),
        firstRepetition: repetition,
        resamples: 0,
        stopsOnAbsence: true,
        signal,
      });
      for (const { exampleId, score, trace } of rows) {
        if (score.kind !== "unscored" || reported.has(exampleId)) continue;
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
