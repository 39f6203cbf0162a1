import { describe, expect, it } from "vitest";
import { mustPassMinibatch } from "../../../../src/optimizer/gepa/settings/must-pass-minibatch.ts";

describe("a child must pass its minibatch", () => {
  it("where val takes more than so many of them; with 0 always, with null never", () => {
    const passing = (gateAbove: number | null): readonly number[] =>
      [0, 1, 6, 7, 100].filter((onVal) =>
        mustPassMinibatch({ gateAbove, minibatchSize: 3 }, { onVal }),
      );
    expect(passing(null)).toEqual([]);
    expect(passing(2)).toEqual([7, 100]);
    expect(passing(0)).toEqual([0, 1, 6, 7, 100]);
  });

  const adaptive = { gateAbove: "adaptive", minibatchSize: 3 } as const;

  it.each([
    // One in three, times half of val.
    ["before the first child", { accepted: 0, rejected: 0, sharesOfVal: 0, onVal: 0 }, 19],
    ["where most are rejected", { accepted: 0, rejected: 7, sharesOfVal: 0, onVal: 0 }, 10],
    ["where they take all of val", { accepted: 5, rejected: 7, sharesOfVal: 7, onVal: 7 }, 7],
    ["where few are rejected", { accepted: 27, rejected: 0, sharesOfVal: 0, onVal: 0 }, 67],
  ])("%s, from so many rollouts on val", (_, outcomes, least) => {
    const passes = (onVal: number): boolean => mustPassMinibatch(adaptive, { onVal }, outcomes);
    // One fewer is level, as far as rounding goes.
    expect([passes(least - 2), passes(least)]).toEqual([false, true]);
  });

  it.each([
    [1, 19],
    // One in three for each text: five in nine for two of them, 19 in 27 for three.
    [2, 11],
    [3, 9],
  ])("that has %d new texts, from %d rollouts on val before the first child", (texts, least) => {
    const passes = (onVal: number): boolean => mustPassMinibatch(adaptive, { onVal, texts });
    // One fewer is level, as far as rounding goes.
    expect([passes(least - 2), passes(least)]).toEqual([false, true]);
  });

  it("not where its own rollouts, with its parent's, take more than val would", () => {
    expect(mustPassMinibatch(adaptive, { onVal: 24, onMinibatch: 3 })).toBe(true);
    expect(mustPassMinibatch(adaptive, { onVal: 24, onMinibatch: 6 })).toBe(false);
    expect(mustPassMinibatch(adaptive, { onVal: 0, onMinibatch: 0 })).toBe(false);
  });
});
