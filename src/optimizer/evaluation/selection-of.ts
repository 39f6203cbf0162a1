import { EspalierError } from "../../errors/index.ts";
import { sumUsage } from "../budget/index.ts";
import type { Costs, Selection } from "../candidate/candidate-record.ts";
import type { Rollout } from "./rollout.ts";
import type { StepEvaluation } from "./step-evaluation.ts";

/**
 * A candidate's results as its record holds them; `null` where faults left too little to judge.
 */
export function selectionOf({
  isAcceptable,
  value,
  scores,
  coverage,
  rollouts,
}: StepEvaluation): Selection | null {
  if (!isAcceptable || value === null) return null;
  return { value, scores, coverage, ...objectivesOf(rollouts) };
}

/**
 * The results of the starting point of a search; throws `coverage-too-low` where faults left too
 * little to judge.
 */
export function seedSelection(evaluation: StepEvaluation): Selection {
  const selection = selectionOf(evaluation);
  if (selection !== null) return selection;
  const { coverage, rollouts } = evaluation;
  const failure = rollouts.find(({ score }) => score.kind === "unscored")?.score;
  throw new EspalierError({
    code: "coverage-too-low",
    problem: "The seed could not be evaluated",
    expected: "scores for nearly all examples of split `val`",
    got: `${(100 * coverage).toFixed(1)} % scored${failure?.kind === "unscored" ? `; the first fault: ${failure.failure.message}` : ""}`,
    fix: "Check the server and that the metric applies to these examples, then start a new run.",
  });
}

/**
 * The mean of each objective, the objectives by example, and mean costs; each is omitted if there
 * is no data for it.
 */
function objectivesOf(
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
    ...(sum.uncountedCalls === undefined && {
      promptTokens: perExample(sum.promptTokens),
      completionTokens: perExample(sum.completionTokens),
    }),
    lmCalls: perExample(sum.calls),
    ...(latencies.length === 0
      ? {}
      : { latencyMs: latencies.reduce((total, ms) => total + ms, 0) / latencies.length }),
  };
}
