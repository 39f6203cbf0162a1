import { expect, it } from "vitest";
import { bestOf } from "../../../src/optimizer/candidate/candidate-measures.ts";
import { candidateOf } from "../gepa/support/search-view.ts";

it("the best is the highest, then the one scored on more, then the earlier", () => {
  const candidates = [
    candidateOf(0, { a: 0.5, b: null }),
    candidateOf(1, { a: 0.5, b: 0.5 }),
    candidateOf(2, { a: 0.25, b: 0.75 }),
  ];
  expect(bestOf(candidates)?.id).toBe(1);
  expect(bestOf([...candidates, candidateOf(3, { a: 0.75, b: null })])?.id).toBe(3);
  expect(bestOf([])).toBeUndefined();
});

it("a candidate that supersedes its parent takes its place, and no other's", () => {
  const candidates = [
    candidateOf(0, { a: 0.5 }),
    candidateOf(1, { a: 0.5 }, { parents: [0] }),
    candidateOf(2, { a: 0.5 }, { parents: [0] }),
  ];
  expect(bestOf(candidates, new Set([1]))?.id).toBe(1);
  expect(bestOf(candidates, new Set([1, 2]))?.id).toBe(1);
  expect(bestOf(candidates, new Set([2]))?.id).toBe(2);
  expect(bestOf([...candidates, candidateOf(3, { a: 0.6 })], new Set([1]))?.id).toBe(3);
});
