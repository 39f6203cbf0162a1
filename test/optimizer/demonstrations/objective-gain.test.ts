import { describe, expect, it } from "vitest";
import { randomSource } from "../../../src/internal/index.ts";
import type { Rollout } from "../../../src/optimizer/evaluation/index.ts";
import { summarizeRollouts } from "../../../src/optimizer/evaluation/index.ts";
import { objectiveGain } from "../../../src/optimizer/demonstrations/best-supported.ts";

/** An objective that is no mean: the least score. */
const run = {
  random: (stream: string, index: number) => randomSource(0, stream, index),
  summarize: (split: "train" | "val", rollouts: readonly Rollout[]) =>
    summarizeRollouts(rollouts, split, (_, scored) =>
      Math.min(...scored.map(({ value }) => value)),
    ),
};
const rollouts = (...values: readonly (number | null)[]): readonly Rollout[] =>
  values.map(
    (value, index) =>
      ({
        exampleId: `e${index}`,
        score: value === null ? { kind: "unscored", failure: {} } : { kind: "scored", value },
      }) as unknown as Rollout,
  );

describe("the gain of an objective that is no mean of scores", () => {
  it("is the objective's, on the examples that both have a score of", () => {
    const gain = objectiveGain({}, run, {
      rollouts: rollouts(0.5, 0.6, 0.7, null, 0.1),
      over: rollouts(0.2, 0.3, 0.9, 0, null),
    });
    expect(gain.mean).toBeCloseTo(0.5 - 0.2, 12);
  });

  it("is less certain where few clusters hold it", () => {
    const [after, before] = [rollouts(0.9, 0.8, 0.7, 0.9), rollouts(0.1, 0.8, 0.7, 0.9)];
    const pair = { rollouts: after, over: before };
    const { mean, deviation } = objectiveGain({}, run, pair);
    expect(mean).toBeCloseTo(0.6, 12);
    // Each resample either holds the one example that changed, or gains nothing.
    expect(deviation).toBeGreaterThan(0.2);
    const ofOne = objectiveGain({ clusterOf: () => "all" }, run, pair);
    expect(ofOne.deviation).toBe(Infinity);
  });
});
