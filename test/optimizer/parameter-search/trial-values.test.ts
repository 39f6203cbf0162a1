import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trialValues } from "../../../src/optimizer/parameter-search/search-parameters.ts";

const scoresOf = (scores: Readonly<Record<string, number>>) => new Map(Object.entries(scores));

describe("what settings seem worth", () => {
  it("is in the order of their means where all have scores on the same examples", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 6, maxLength: 6 }), {
          minLength: 2,
          maxLength: 9,
        }),
        (rows) => {
          const values = trialValues(
            rows.map((row) => new Map(row.map((score, id) => [`e${id}`, score]))),
          );
          const sums = rows.map((row) => row.reduce((total, score) => total + score, 0));
          const order = (of: readonly number[]) => of.map((one) => of.map((other) => one < other));
          const rounded = values.map((value) => Number(value.toFixed(9)));
          expect(order(rounded)).toEqual(order(sums));
        },
      ),
    );
  });

  it("is less for luck on few examples than for the same on many", () => {
    const many = Array.from({ length: 40 }, (_, id): [string, number] => [`e${id}`, id % 2]);
    const lost = many.map(([id]): [string, number] => [id, Number(id.endsWith("3"))]);
    const better = many.map(([id, score]): [string, number] => [id, id.endsWith("0") ? 1 : score]);
    const [plain, lucky, proven] = trialValues([
      new Map(many),
      new Map(many.slice(0, 4).map(([id, score], index) => [id, index === 0 ? 1 : score])),
      new Map(better),
      new Map(lost),
    ]) as [number, number, number];
    // A tenth better on all of val, a quarter better on four examples.
    expect(proven).toBeGreaterThan(lucky);
    expect(lucky).toBeGreaterThan(plain);
  });

  it("does not hang on which examples were easy", () => {
    const ease = { a: 0.1, b: 0.9, c: 0.5, d: 0.3 };
    const of = (gain: number, ids: readonly (keyof typeof ease)[]) =>
      new Map(ids.map((id) => [id, ease[id] + gain]));
    const all = ["a", "b", "c", "d"] as const;
    const [hard, easy] = trialValues([
      of(0.05, ["a", "d"]),
      of(0, ["b", "c"]),
      of(0, all),
      of(-0.05, all),
      of(0.02, all),
    ]) as [number, number];
    expect(hard).toBeGreaterThan(easy);
  });

  it("is the plain gain where scores have no noise", () => {
    const values = trialValues([scoresOf({ a: 0.25, b: 0.5 }), scoresOf({ a: 0.75, b: 1 })]);
    expect(values).toEqual([-0.25, 0.25]);
  });

  it("is the empirical Bayes estimate of a balanced table", () => {
    // By hand: means of examples 2, 4, 3; gains -2, 0, 2; squares of what is left 4, with
    // 9 - 3 - 3 + 1 = 4 degrees of freedom, so the noise is 1, of a mean of three 1 / 3. The
    // variance of the gains is 4, of which 1 / 3 is noise, so 11 / 12 of a gain is kept.
    const values = trialValues([
      scoresOf({ a: 0, b: 3, c: 0 }),
      scoresOf({ a: 2, b: 3, c: 4 }),
      scoresOf({ a: 4, b: 6, c: 5 }),
    ]);
    for (const [index, expected] of [-11 / 6, 0, 11 / 6].entries()) {
      expect(values[index]).toBeCloseTo(expected, 12);
    }
  });
});
