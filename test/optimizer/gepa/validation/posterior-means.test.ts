import { expect, test } from "vitest";
import { randomSource } from "../../../../src/internal/index.ts";
import { posteriorMeans } from "../../../../src/optimizer/gepa/state/estimates.ts";
import { candidateOf } from "../support/search-view.ts";

const valued = (id: number, value: number, parents: readonly number[]) =>
  candidateOf(id, { a: value }, { parents });

test("what is measured exactly stands as measured", () => {
  const candidates = [valued(0, 0.5, []), valued(1, 0.9, [0]), valued(2, 0.2, [1])];
  const near = (value: number) => expect.closeTo(value, 12);
  expect(posteriorMeans(candidates, () => 0)).toEqual([near(0.5), near(0.9), near(0.2)]);
});

test("a child is drawn towards its parent by its share of the variance", () => {
  const candidates = [valued(0, 0.5, []), valued(1, 0.7, [0])];
  const variances = [0, 0.01];
  // One child of squared gain .04 less its noise .01, and three assumed of .01 each.
  const spread = (0.03 + 3 * 0.01) / 4;
  const [seed, child] = posteriorMeans(candidates, ({ id }) => variances[id] ?? 0);
  expect(seed).toBe(0.5);
  expect(child).toBeCloseTo(0.5 + 0.2 * (spread / (spread + 0.01)), 12);
});

test("a lucky child that was measured once falls behind one that was measured often", () => {
  const candidates = [valued(0, 0.5, []), valued(1, 0.6, [0]), valued(2, 0.64, [0])];
  const variances = [0.001, 0.0005, 0.02];
  const [, often, once] = posteriorMeans(candidates, ({ id }) => variances[id] ?? 0);
  expect(often).toBeGreaterThan(once ?? 1);
});

test("uncertainty of a parent adds to what its child may differ by", () => {
  const candidates = [valued(0, 0.5, []), valued(1, 0.7, [0])];
  const childOf = (seed: number): number =>
    posteriorMeans(candidates, ({ id }) => [seed, 0.01][id] ?? 0)[1] ?? 0;
  // The mean of two as uncertain measurements lies between them, near neither.
  expect(childOf(0.5)).toBeGreaterThan(childOf(0.001));
});

test("true values are met more closely than by the raw means, over many draws", () => {
  let [raw, posterior] = [0, 0];
  for (let run = 0; run < 200; run++) {
    const normal = normals(run);
    const truth = [0.4];
    const parents: number[][] = [[]];
    for (let id = 1; id < 12; id++) {
      const parent = Math.floor(id / 2);
      parents.push([parent]);
      truth.push((truth[parent] ?? 0) + 0.05 * normal());
    }
    const measured = truth.map((value, id) =>
      valued(id, value + (id % 3 === 0 ? 0.02 : 0.1) * normal(), parents[id] ?? []),
    );
    const means = posteriorMeans(measured, ({ id }) => (id % 3 === 0 ? 0.02 : 0.1) ** 2);
    for (const [id, value] of truth.entries()) {
      raw += ((measured[id]?.selection.value ?? 0) - value) ** 2;
      posterior += ((means[id] ?? 0) - value) ** 2;
    }
  }
  expect(posterior).toBeLessThan(0.8 * raw);
});

/** Standard normal draws by Box and Muller. */
function normals(run: number): () => number {
  const random = randomSource(run, "posterior means");
  return () =>
    Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
}
