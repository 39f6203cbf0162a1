import fc from "fast-check";
import { expect, it } from "vitest";
import { epochMinibatch } from "../../../src/optimizer/gepa/epoch-minibatch.ts";
import { randomSource } from "../../../src/internal/index.ts";

const sizes = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 10 }))
  .map(([count, size]) => ({ count, size: Math.min(count, size) }));

it("shows every id once in an epoch, in minibatches of full size without repeats", () => {
  fc.assert(
    fc.property(sizes, ({ count, size }) => {
      const ids = idsOf(count);
      const perEpoch = Math.ceil(count / size);
      for (const epoch of [0, 1, 2]) {
        const batches = Array.from({ length: perEpoch }, (_, place) =>
          minibatch(ids, size, epoch * perEpoch + place + 1),
        );
        for (const batch of batches) {
          expect(batch).toHaveLength(size);
          expect(new Set(batch).size).toBe(size);
        }
        expect(new Set(batches.flat())).toEqual(new Set(ids));
        // What fills up the last minibatch is all that comes twice.
        expect(batches.flat()).toHaveLength(perEpoch * size);
      }
    }),
  );
});

it("shuffles each epoch anew", () => {
  const ids = idsOf(12);
  const epochOf = (first: number): string =>
    [0, 1, 2, 3].flatMap((place) => minibatch(ids, 3, first + place)).join();
  expect(new Set([epochOf(1), epochOf(5), epochOf(9)]).size).toBe(3);
});

it("depends on nothing but the iteration, so that a skipped one moves no other", () => {
  const ids = idsOf(10);
  const late = minibatch(ids, 3, 7);
  for (const earlier of [1, 2, 3]) minibatch(ids, 3, earlier);
  expect(minibatch(ids, 3, 7)).toEqual(late);
});

function idsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `q${index}`);
}

function minibatch(ids: readonly string[], size: number, iteration: number): readonly string[] {
  return epochMinibatch(ids, size, iteration, (epoch) => randomSource(3, "epoch", epoch));
}
