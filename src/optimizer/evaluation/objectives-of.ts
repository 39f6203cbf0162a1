import { sumUsage } from "../budget/index.ts";
import type { Costs, Selection } from "../candidate/candidate-record.ts";
import type { Rollout } from "./index.ts";

/**
 * The mean of each objective, the objectives by example, and mean costs; each is omitted if there
 * is no data for it.
 */
export function objectivesOf(
  rollouts: readonly Rollout[],
): Pick<Selection, "objectives" | "objectiveScores" | "costs"> {
  const objectiveScores: Record<string, Readonly<Record<string, number>>> = {};
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { exampleId, score } of rollouts) {
    if (score.kind !== "scored" || score.objectives === undefined) continue;
    // Copied because the metric may keep its own object.
    objectiveScores[exampleId] = { ...score.objectives };
    for (const [name, value] of Object.entries(score.objectives)) {
      const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 };
      sums.set(name, { sum: sum + value, count: count + 1 });
    }
  }
  const costs = costsOf(rollouts);
  if (sums.size === 0) return { ...(costs && { costs }) };
  const objectives = Object.fromEntries(
    [...sums].map(([name, { sum, count }]) => [name, sum / count]),
  );
  return { objectives, objectiveScores, ...(costs && { costs }) };
}

function costsOf(rollouts: readonly Rollout[]): Costs | undefined {
  const sum = sumUsage(rollouts.map(({ usage }) => usage));
  if (sum.calls === 0) return undefined;
  const runs = rollouts.reduce((total, rollout) => total + (rollout.runs ?? 1), 0);
  const perExample = (total: number): number => total / runs;
  const latencies = rollouts.flatMap(({ latencyMs }) => latencyMs ?? []);
  return {
    promptTokens: perExample(sum.promptTokens),
    completionTokens: perExample(sum.completionTokens),
    lmCalls: perExample(sum.calls),
    ...(latencies.length === 0
      ? {}
      : { latencyMs: latencies.reduce((total, ms) => total + ms, 0) / latencies.length }),
  };
}
