import fc from "fast-check";
import seedrandom from "seedrandom";
import { describe, expect, it } from "vitest";
import { drawFrom, randomSource } from "../../src/internal/index.ts";

describe("random source", () => {
  it("is seedrandom's generator, keyed by seed, stream and index", () => {
    const reference = seedrandom.xor4096("7/minibatch/3");
    const random = randomSource(7, "minibatch", 3);
    expect([random.random(), random.random()]).toEqual([reference(), reference()]);
  });

  it("draws the same whatever other operations drew before", () => {
    const alone = randomSource(1, "merge", 4).shuffle([1, 2, 3, 4, 5, 6]);
    randomSource(1, "merge", 3).shuffle([1, 2, 3]);
    expect(randomSource(1, "merge", 4).shuffle([1, 2, 3, 4, 5, 6])).toEqual(alone);
  });

  it("draws differently for another seed, stream or index", () => {
    const draws = [
      randomSource(1, "a", 0),
      randomSource(2, "a", 0),
      randomSource(1, "b", 0),
      randomSource(1, "a", 1),
    ];
    expect(new Set(draws.map((random) => random.random())).size).toBe(4);
  });

  it("shuffles and samples without losing or repeating anything, and leaves its argument alone", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.nat(20), fc.integer(), (items, count, seed) => {
        const before = [...items];
        const random = randomSource(seed, "test");
        expect(random.shuffle(items).toSorted()).toEqual(items.toSorted());
        const sample = random.sample(items, count);
        expect(sample).toHaveLength(Math.min(count, items.length));
        expect(new Set(sample).size).toBe(sample.length);
        expect(sample.every((item) => items.includes(item))).toBe(true);
        expect(items).toEqual(before);
      }),
    );
  });

  it("shuffles every order about equally often", () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 6_000; index++) {
      const order = randomSource(11, "orders", index).shuffle(["a", "b", "c"]).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    // Chi-squared with 5 degrees of freedom: 20.5 has p = 0.001.
    const chiSquared = [...counts.values()].reduce(
      (sum, count) => sum + (count - 1_000) ** 2 / 1_000,
      0,
    );
    expect(counts.size).toBe(6);
    expect(chiSquared).toBeLessThan(20.5);
  });

  it("weighs: never what has no weight, twice as often what has twice the weight", () => {
    const drawn = Array.from({ length: 3_000 }, (_, index) =>
      randomSource(5, "weights", index).weighted(["never", "once", "twice"], [0, 1, 2]),
    );
    expect(drawn).not.toContain("never");
    // Three standard deviations of a binomial with n = 3,000 and p = 2/3.
    expect(Math.abs(drawn.filter((item) => item === "twice").length - 2_000)).toBeLessThan(78);
  });

  it("gives the remainder that rounding leaves to the last item with weight", () => {
    const almostOne = drawFrom(() => 1 - Number.EPSILON / 2);
    expect(almostOne.weighted(["a", "b", "c"], [0.1, 0.7, 0])).toBe("b");
    expect(almostOne.below(3)).toBe(2);
  });

  it.each([
    ["an empty list", () => randomSource(1, "x").choice([])],
    ["no weight at all", () => randomSource(1, "x").weighted(["a"], [0])],
    ["weights that do not match", () => randomSource(1, "x").weighted(["a"], [1, 2])],
    ["an infinite weight", () => randomSource(1, "x").weighted(["a"], [Number.POSITIVE_INFINITY])],
  ])("refuses %s", (_, draw) => {
    expect(draw).toThrow(RangeError);
  });
});
