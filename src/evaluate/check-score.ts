import type { Score } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";

/** Lets a metric's answer through when it is a score; throws `metric-failed` otherwise. */
export function checkScore(score: Score): Score {
  const isScore =
    typeof score === "object" &&
    score !== null &&
    (score.kind === "scored"
      ? [score.value, ...Object.values(score.objectives ?? {})].every(Number.isFinite)
      : score.kind === "not-applicable" || score.kind === "unscored");
  if (isScore) return score;
  throw new EspalierError({
    code: "metric-failed",
    problem: "The metric returned no score",
    expected: "`scored(...)` with finite numbers, `notApplicable(...)` or `unscored(...)`",
    got: typeof score === "object" ? JSON.stringify(score) : String(score),
    fix: "Return one of the three from the metric, on every path.",
  });
}
