import { describe, expect, it } from "vitest";
import { randomSource } from "../../../src/internal/index.ts";
import { withoutDominated } from "../../../src/optimizer/gepa/strategy/frontier.ts";

type Fronts = readonly (readonly number[])[];

const seeds = Array.from({ length: 300 }, (_, seed) => seed);

describe("removing dominated candidates", () => {
  it("gives what starting again after each removal gives, also where values tie", () => {
    for (const seed of seeds) {
      const { fronts, valueOf } = randomFronts(seed);
      expect(withoutDominated(fronts, valueOf)).toEqual(startingAgain(fronts, valueOf));
    }
  });

  it("keeps a candidate in every front, and none that all fronts can do without", () => {
    for (const seed of seeds) {
      const { fronts, valueOf } = randomFronts(seed);
      const left = withoutDominated(fronts, valueOf);
      expect(left.every((ids) => ids.length > 0)).toBe(true);
      for (const id of new Set(left.flat())) {
        expect(left.some((ids) => ids.length === 1 && ids[0] === id)).toBe(true);
      }
    }
  });

  it("lets the worse of two go that could each replace the other", () => {
    const fronts = [
      [0, 1],
      [0, 1],
    ];
    expect(withoutDominated(fronts, (id) => [1, 0][id] ?? 0)).toEqual([[0], [0]]);
    expect(withoutDominated(fronts, (id) => [0, 1][id] ?? 0)).toEqual([[1], [1]]);
    expect(withoutDominated(fronts, () => 0)).toEqual([[1], [1]]);
  });
});

function randomFronts(seed: number): { fronts: Fronts; valueOf: (id: number) => number } {
  const draws = randomSource(seed, "fronts");
  const ids = Array.from({ length: 1 + draws.below(12) }, (_, id) => id);
  const values = ids.map(() => draws.below(4));
  const fronts = Array.from({ length: 1 + draws.below(8) }, () =>
    draws.sample(ids, 1 + draws.below(ids.length)).toSorted((one, other) => one - other),
  );
  return { fronts, valueOf: (id) => values[id] ?? 0 };
}

/** The reference's way, word for word: look again from the start after each removal. */
function startingAgain(fronts: Fronts, valueOf: (id: number) => number): Fronts {
  const order = [...new Set(fronts.flat())].toSorted((one, other) => valueOf(one) - valueOf(other));
  const dropped = new Set<number>();
  for (;;) {
    const next = order.find(
      (id) =>
        !dropped.has(id) &&
        fronts
          .filter((ids) => ids.includes(id))
          .every((ids) => ids.some((other) => other !== id && !dropped.has(other))),
    );
    if (next === undefined) return fronts.map((ids) => ids.filter((id) => !dropped.has(id)));
    dropped.add(next);
  }
}
