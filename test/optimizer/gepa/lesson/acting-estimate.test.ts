import { describe, expect, it } from "vitest";
import {
  afterObserving,
  chanceOfActing,
  placeToObserve,
  unknownActing,
} from "../../../../src/optimizer/gepa/state/acting-estimate.ts";
import { randomSource } from "../../../../src/internal/index.ts";

/** What a run finds out about an LM that acts on so many lessons, from `seen` of eight shown. */
function found(actsOn: number, seen: readonly number[], surprise = 0, seed = 0) {
  const draws = randomSource(seed, "acting");
  return seen.reduce((estimate, index) => {
    const isMet = index < actsOn !== draws.random() < surprise;
    return afterObserving(estimate, { index, isMet });
  }, unknownActing);
}

describe("what a run finds out about the reflection LM", () => {
  it("begins with acting on one as likely as on all, and the first always acted on", () => {
    expect(chanceOfActing(unknownActing, 0)).toBeCloseTo(1, 12);
    expect(chanceOfActing(unknownActing, 1)).toBeCloseTo(2 / 3, 12);
    expect(chanceOfActing(unknownActing, 8)).toBeCloseTo(1 / 3, 12);
    expect(chanceOfActing(unknownActing, 100)).toBeCloseTo(1 / 3, 12);
  });

  it.each([
    ["one", 1, [false, false, false]],
    ["three", 3, [true, false, false]],
    ["all", Infinity, [true, true, true]],
  ] as const)("tells who acts on %s from who does not", (_, actsOn, expected) => {
    const estimate = found(actsOn, [7, 1, 2, 3, 1, 2, 3, 7]);
    expect([2, 3, 7].map((index) => chanceOfActing(estimate, index) > 0.5)).toEqual(expected);
    expect(estimate.chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12);
  });

  it("follows Bayes' rule: two thirds met at 0.9 against one third met at 0.1", () => {
    const estimate = afterObserving(unknownActing, { index: 1, isMet: true });
    expect(chanceOfActing(estimate, 1)).toBeCloseTo((2 * 0.9) / (2 * 0.9 + 0.1), 12);
  });

  it("is right in the end although one lesson in ten surprises", () => {
    for (let seed = 0; seed < 50; seed++) {
      const places = Array.from({ length: 40 }, (_, number) => 1 + (number % 7));
      expect(chanceOfActing(found(1, places, 0.1, seed), 1)).toBeLessThan(0.5);
      expect(chanceOfActing(found(Infinity, places, 0.1, seed), 7)).toBeGreaterThan(0.5);
    }
  });

  it("asks for the place in most doubt, and for none once all are known well enough", () => {
    expect(placeToObserve(unknownActing, [1, 2, 7])).toBe(7);
    expect(placeToObserve(unknownActing, [])).toBeNull();
    const known = found(1, [1, 1, 1, 1]);
    expect(placeToObserve(known, [1, 2, 7])).toBeNull();
  });
});
