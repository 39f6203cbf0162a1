import { EspalierError } from "../../errors/index.ts";
import type { StepEvaluation } from "./index.ts";

/**
 * The objective at the starting point of a search; rejects with `coverage-too-low` where faults
 * leave it unknown.
 */
export function seedValue({ isAcceptable, value, coverage, rollouts }: StepEvaluation): number {
  if (isAcceptable && value !== null) return value;
  const failure = rollouts.find(({ score }) => score.kind === "unscored")?.score;
  throw new EspalierError({
    code: "coverage-too-low",
    problem: "The seed could not be evaluated",
    expected: "scores for nearly all examples of split `val`",
    got: `${(100 * coverage).toFixed(1)} % scored${failure?.kind === "unscored" ? `; the first fault: ${failure.failure.message}` : ""}`,
    fix: "Check the server and that the metric applies to these examples, then start a new run.",
  });
}
