import { expect, it } from "vitest";
import { mustPassMinibatch } from "../../../../src/optimizer/gepa/settings/must-pass-minibatch.ts";

it("a child must pass its minibatch where val takes more than so many of them; with 0 always", () => {
  const passing = (gateAbove: number | null): readonly number[] =>
    [0, 1, 6, 7, 100].filter((onVal) => mustPassMinibatch({ gateAbove, minibatchSize: 3 }, onVal));
  expect(passing(null)).toEqual([]);
  expect(passing(2)).toEqual([7, 100]);
  expect(passing(0)).toEqual([0, 1, 6, 7, 100]);
});
