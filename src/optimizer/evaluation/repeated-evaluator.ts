import { mean } from "../../statistics/index.ts";
import { allOrAbort } from "../../internal/index.ts";
import { sumUsage } from "../budget/index.ts";
import type { Evaluator } from "./evaluator.ts";
import type { Rollout, RolloutScore } from "./rollout.ts";
import { usageOfRollouts } from "./rollout.ts";

/** Runs each example `repetitions` times and delivers one rollout whose score is the mean. */
export function repeatedEvaluator(evaluator: Evaluator, repetitions: number): Evaluator {
  if (repetitions === 1) return evaluator;
  const { aggregate } = evaluator;
  return {
    evaluate: async (request) => {
      const runs = new Map<string, Map<number, Rollout>>();
      const numbers = Array.from({ length: repetitions }, (_, repetition) => repetition);
      await allOrAbort(numbers, request.signal, (repetition, signal) =>
        evaluator.evaluate({
          ...request,
          repetition,
          scope: `${request.scope}/${repetition}`,
          signal,
          onRollout: (rollout) => {
            const ofExample = runs.get(rollout.exampleId) ?? new Map<number, Rollout>();
            runs.set(rollout.exampleId, ofExample.set(repetition, rollout));
            if (ofExample.size < repetitions) return;
            // In order of repetition, whichever ended first.
            request.onRollout(combined(numbers.flatMap((number) => ofExample.get(number) ?? [])));
          },
        }),
      );
    },
    ...(aggregate && { aggregate: (split, scored) => aggregate(split, scored) }),
  };
}

/**
 * Combines runs as `evaluate()` does. One unscored run makes the rollout unscored, since a mean
 * over fewer runs would not be comparable. Runs to which the metric does not apply are left out.
 * The lesson is that of the lowest-scoring run.
 */
function combined(runs: readonly Rollout[]): Rollout {
  const lowest = runs.reduce((low, run) => (rank(run.score) < rank(low.score) ? run : low));
  const latencies = runs.flatMap(({ latencyMs }) => latencyMs ?? []);
  const { latencyMs: _latencyMs, usageByRole: _usageByRole, invalid, ...about } = lowest;
  const decisions = runs.flatMap((run) => run.decisions ?? []);
  const score = meanScore(lowest.score, runs);
  const isMixed = runs.some(({ usageByRole }) => usageByRole !== undefined);
  return {
    ...about,
    ...lessonWithScore(lowest, score),
    score,
    ran: [...new Set(runs.flatMap(({ ran }) => ran))].toSorted(),
    usage: sumUsage(runs.map(({ usage }) => usage)),
    ...(decisions.length > 0 && { decisions }),
    ...(invalid !== undefined && runs.every((run) => run.invalid !== undefined) && { invalid }),
    ...(isMixed && { usageByRole: usageOfRollouts(runs) }),
    ...(latencies.length === 0 ? {} : { latencyMs: mean(latencies) }),
    worst: Math.max(...runs.map(({ worst }) => worst)),
    runs: runs.reduce((sum, run) => sum + (run.runs ?? 1), 0),
  };
}

/** The lesson says its own score where the combined one differs. */
function lessonWithScore(
  { lesson, score: own }: Rollout,
  mean: RolloutScore,
): Pick<Rollout, "lesson"> {
  if (lesson === undefined || own.kind !== "scored" || mean.kind !== "scored") return {};
  return own.value === mean.value ? {} : { lesson: { ...lesson, score: own.value } };
}

function rank(score: RolloutScore): number {
  if (score.kind === "unscored") return -Infinity;
  return score.kind === "scored" ? score.value : Infinity;
}

function meanScore(lowest: RolloutScore, runs: readonly Rollout[]): RolloutScore {
  if (lowest.kind !== "scored") return lowest;
  const scores = runs.map(({ score }) => score).filter((score) => score.kind === "scored");
  const names = new Set(scores.flatMap(({ objectives = {} }) => Object.keys(objectives)));
  const objectives = [...names].map((name): [string, number] => [
    name,
    mean(scores.flatMap((score) => score.objectives?.[name] ?? [])),
  ]);
  return {
    kind: "scored",
    value: mean(scores.map(({ value }) => value)),
    ...(objectives.length === 0 ? {} : { objectives: Object.fromEntries(objectives) }),
  };
}
