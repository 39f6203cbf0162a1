import type { Rollout } from "../evaluation/index.ts";

/**
 * The score from which a run passes where nobody says one: the upper quartile of the runs' scores
 * (by nearest rank), or the lowest score above 0 if that is higher. Of scores that are 0 or 1 it is
 * 1. `Infinity` where no score is above 0.
 */
export function passingScore(rollouts: readonly Rollout[]): number {
  const scores = rollouts
    .flatMap(({ score }) => (score.kind === "scored" ? [score.value] : []))
    .toSorted((one, other) => one - other);
  const quartile = scores[Math.ceil(0.75 * scores.length) - 1] ?? Infinity;
  const positive = scores.find((score) => score > 0) ?? Infinity;
  return Math.max(quartile, positive);
}
