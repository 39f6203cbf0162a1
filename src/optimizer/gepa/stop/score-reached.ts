import type { Stopper } from "../strategy/strategy.ts";

/**
 * Ends the run once the best candidate's value on val is at least `score`, which may never happen.
 */
export function scoreReached(score: number): Stopper {
  return {
    name: "score",
    settings: { score },
    stop: ({ best: { id, selection } }) =>
      selection.value >= score
        ? `candidate ${id} has ${selection.value.toFixed(4)} on val, at least ${score}`
        : null,
  };
}
