import { describe, expect, it } from "vitest";
import type { ParentSelection, SearchView } from "espalier/optimizer";
import { bestOrParetoParent, paretoParent } from "espalier/optimizer";
import {
  bestParent,
  epsilonGreedyParent,
  topKParetoParent,
} from "../../conformance/reference/index.ts";
import type { Scores } from "./support/search-view.ts";
import { candidateOf, meanOf, scoreTable, searchView } from "./support/search-view.ts";

// Fronts a: {0, 1}, b: {1}, c: {2}, d: {1, 2}, e: {3}; 0 can be done without, 1 is best.
const table: readonly Scores[] = [
  { a: 1, b: 0, c: 0, d: 0, e: 0 },
  { a: 1, b: 1, c: 0, d: 1, e: 0 },
  { a: 0, b: 0, c: 1, d: 1, e: 0 },
  { a: 0, b: 0, c: 0, d: 0, e: 1 },
];
const candidates = table.map((scores, id) => candidateOf(id, scores));
const draws = 3_000;

describe("behaviour 8: paretoParent", () => {
  it("draws with the frequency in the fronts, and a dominated candidate never", () => {
    expectShares(paretoParent(), candidates, [0, 3 / 6, 2 / 6, 1 / 6]);
  });

  it("draws each candidate of random fronts as often as a count from scratch says", () => {
    for (let seed = 0; seed < 8; seed++) {
      const held = scoreTable(seed).map((scores, id) => candidateOf(id, scores));
      expectShares(paretoParent(), held, sharesOf(held, held));
    }
  });

  it("takes the seed where the metric applied to no example", () => {
    const view = searchView({ candidates: [candidateOf(0, { a: null, b: null })] });
    expect(paretoParent().select(view, 0)).toBe(0);
  });
});

describe("behaviour 9: bestParent and epsilonGreedyParent", () => {
  it("bestParent takes the best", () => {
    expectShares(bestParent(), candidates, [0, 1, 0, 0]);
  });

  it.each([
    [0, [0, 1, 0, 0]],
    [1, [0.25, 0.25, 0.25, 0.25]],
    [0.4, [0.1, 0.7, 0.1, 0.1]],
  ])("epsilon %d takes any one in that share of the draws, else the best", (epsilon, shares) => {
    expectShares(epsilonGreedyParent({ epsilon }), candidates, shares);
  });
});

describe("bestOrParetoParent", () => {
  // Candidate 3 was added in iteration 10.
  const aged = candidates.map((held, id) => ({ ...held, iteration: [0, 4, 7, 10][id] ?? 0 }));
  const at = (iteration: number) => (seed: number) =>
    searchView({ candidates: aged, iteration, seed });

  it("takes the best while candidates were added in the last 8 iterations", () => {
    expectDrawn(bestOrParetoParent(), at(18), [0, 1, 0, 0]);
  });

  it("takes one of the frontier in half of the draws then", () => {
    const shares = [0, 0.5 + 0.5 * (3 / 6), 0.5 * (2 / 6), 0.5 * (1 / 6)];
    for (const iteration of [19, 30]) expectDrawn(bestOrParetoParent(), at(iteration), shares);
  });
});

describe("topKParetoParent", () => {
  it("draws by frequency in the fronts of the k best alone, the earlier of equal ones", () => {
    // 2 is second; front a falls to 1, e is empty.
    expectShares(topKParetoParent({ k: 2 }), candidates, [0, 3 / 5, 2 / 5, 0]);
    expectShares(topKParetoParent({ k: 1 }), candidates, [0, 1, 0, 0]);
  });

  it("draws as a count from scratch says", () => {
    for (let seed = 20; seed < 28; seed++) {
      const held = scoreTable(seed).map((scores, id) => candidateOf(id, scores));
      const byValue = held.toSorted(
        (one, other) => other.selection.value - one.selection.value || one.id - other.id,
      );
      expectShares(topKParetoParent({ k: 3 }), held, sharesOf(held, byValue.slice(0, 3)));
    }
  });
});

describe("a draw", () => {
  it.each([paretoParent(), epsilonGreedyParent({ epsilon: 1 }), topKParetoParent()])(
    "of $name is the same for the same place of the same iteration, and another for others",
    (parent) => {
      const of = (iteration: number, index: number): number =>
        parent.select(searchView({ candidates, iteration }), index);
      const drawn = Array.from({ length: 30 }, (_, index) => of(1, index));
      expect(Array.from({ length: 30 }, (_, index) => of(1, index))).toEqual(drawn);
      expect(Array.from({ length: 30 }, (_, index) => of(2, index))).not.toEqual(drawn);
      expect(new Set(drawn).size).toBeGreaterThan(1);
    },
  );
});

/**
 * Fronts made anew from the scores of `allowed` alone, where these are best of all. While some
 * candidate shares each of its fronts with another, the worst such one goes: of equal ones the one
 * that the fronts name first.
 */
function sharesOf(
  held: readonly ReturnType<typeof candidateOf>[],
  allowed: readonly ReturnType<typeof candidateOf>[],
): readonly number[] {
  const fronts = ["a", "b", "c", "d", "e"].flatMap((example) => {
    const scores = held.map(({ selection }) => selection.scores[example] ?? -1);
    const best = Math.max(...scores);
    const ids = scores.flatMap((score, id) => (score === best && best >= 0 ? [id] : []));
    const left = ids.filter((id) => allowed.some((one) => one.id === id));
    return left.length === 0 ? [] : [left];
  });
  let left: readonly (readonly number[])[] = fronts;
  for (;;) {
    const spare = [...new Set(fronts.flat())].filter((id) => {
      const shared = left.filter((ids) => ids.includes(id));
      return shared.length > 0 && shared.every((ids) => ids.length > 1);
    });
    const means = spare.map((id) => meanOf(held[id]?.selection.scores));
    const worst = spare[means.indexOf(Math.min(...means))];
    if (worst === undefined) break;
    left = left.map((ids) => ids.filter((id) => id !== worst));
  }
  const list = left.flat();
  // Where no front is left the best is taken.
  if (list.length === 0) return held.map(({ id }) => (id === allowed[0]?.id ? 1 : 0));
  return held.map(({ id }) => list.filter((other) => other === id).length / list.length);
}

function expectShares(
  parent: ParentSelection,
  held: readonly ReturnType<typeof candidateOf>[],
  shares: readonly number[],
): void {
  const view = searchView({ candidates: held });
  expectDrawn(
    parent,
    (seed) => ({ ...view, random: searchView({ candidates: held.slice(0, 1), seed }).random }),
    shares,
  );
}

/** Shares of many draws, each within five standard errors; exact where a share is 0 or 1. */
function expectDrawn(
  parent: ParentSelection,
  viewOf: (seed: number) => SearchView,
  shares: readonly number[],
): void {
  const drawn = Array.from({ length: draws }, (_, seed) => parent.select(viewOf(seed), 0));
  for (const [id, share] of shares.entries()) {
    const seen = drawn.filter((other) => other === id).length / draws;
    const within = 5 * Math.sqrt((share * (1 - share)) / draws);
    expect(Math.abs(seen - share), `share of ${id}: ${seen}, not ${share}`).toBeLessThanOrEqual(
      within,
    );
  }
}
