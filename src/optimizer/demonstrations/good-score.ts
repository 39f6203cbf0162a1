import type { Rollout } from "../evaluation/index.ts";
import { passingScore } from "./passing-score.ts";

/** Share of a perfect score. */
const goodShare = 0.7;

/**
 * The score from which a run is good enough to be shown where nobody says one: .7 of a perfect
 * score if any of the runs reaches it, else their passing score. Where all scores are 0, .7 of a
 * perfect score.
 *
 * @param perfectScore @default 1
 */
export function goodScore(rollouts: readonly Rollout[], perfectScore = 1): number {
  const good = goodShare * perfectScore;
  const isAnyGood = rollouts.some(({ score }) => score.kind === "scored" && score.value >= good);
  const passing = passingScore(rollouts);
  return isAnyGood || !Number.isFinite(passing) ? good : passing;
}
