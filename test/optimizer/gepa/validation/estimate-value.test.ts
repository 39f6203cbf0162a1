import { describe, expect, it } from "vitest";
import { withEstimate, withEstimates } from "../../../../src/optimizer/gepa/state/estimates.ts";
import { candidateOf } from "../support/search-view.ts";

const judged = { panel: { exampleIds: ["a", "b", "c", "d"] }, val: 4 };
const seed = candidateOf(0, { a: 0, b: 0.5, c: 1, d: 0.5 });
const childOn = (scores: Readonly<Record<string, number | null>>) =>
  withEstimate(candidateOf(1, scores).selection, seed, judged);

describe("the value of a candidate", () => {
  it("that was run on all of val is its own, and not marked", () => {
    const selection = childOn({ a: 1, b: 1, c: 1, d: null });
    expect(selection).toMatchObject({ value: 1 });
    expect(selection).not.toHaveProperty("seen");
  });

  it("that was run on part of val is its parent's and the gain there, and says on how many", () => {
    // The seed's .5, and the mean of 1 and -.25.
    expect(childOn({ a: 1, b: 0.25 })).toMatchObject({ value: 0.875, seen: 2 });
    // Where there is no score there is no gain.
    expect(childOn({ a: 1, b: null })).toMatchObject({ value: 1.5, seen: 2 });
    expect(childOn({ b: null })).toMatchObject({ value: 0.5, seen: 1 });
  });

  it("weighs each example by what it stands for", () => {
    const weights = new Map([
      ["a", 1],
      ["b", 3],
    ]);
    const panel = { exampleIds: ["a", "b"], weights };
    const { selection } = candidateOf(1, { a: 1, b: 0.25 });
    // (1 * 1 - 3 * .25) / 4
    expect(withEstimate(selection, seed, { panel, val: 4 }).value).toBeCloseTo(0.5625, 12);
  });

  it("changes with its parent's, down the line, and no other does", () => {
    const child = { ...candidateOf(1, {}), parents: [0], selection: childOn({ a: 1 }) };
    const grandchild = {
      ...candidateOf(2, {}),
      parents: [1],
      selection: withEstimate(candidateOf(2, { a: 0.5 }).selection, child, judged),
    };
    expect([child, grandchild].map(({ selection }) => selection.value)).toEqual([1.5, 1]);
    const completed = { ...child, selection: candidateOf(1, { a: 1, b: 0, c: 0, d: 0 }).selection };
    const [first, second, third] = withEstimates([seed, completed, grandchild], judged);
    expect([first, second]).toEqual([seed, completed]);
    expect(third?.selection).toMatchObject({ value: -0.25, seen: 1 });
  });
});
