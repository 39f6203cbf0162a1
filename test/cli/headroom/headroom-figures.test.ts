import { describe, expect, it, test } from "vitest";
import type { HeadroomRow } from "../../../src/cli/headroom/headroom-figures.ts";
import { headroomFigures, headroomVerdict } from "../../../src/cli/headroom/headroom-figures.ts";

const verdictOf = ([gain, standardError]: readonly [number, number | null], clusters = 10) =>
  headroomVerdict({ clusters, crossFitted: { gain, standardError } });

describe("the verdict", () => {
  test.each([
    ["less its error reaches .05", [0.0625, 0.0125], "worth it with demonstrations alone"],
    ["less its error is below .05", [0.0625, 0.0126], "perhaps worth it"],
    ["with its error reaches .05", [0.0375, 0.0125], "perhaps worth it"],
    ["with its error is below .05", [0.0374, 0.0125], "not worth it"],
    ["is a sure loss", [-0.2, 0.01], "not worth it"],
  ] as const)("of a gain that %s", (_, crossFitted, expected) => {
    expect(verdictOf(crossFitted)).toBe(expected);
  });

  it("is left open without candidates, with fewer than 10 clusters, and without an error", () => {
    expect(headroomVerdict({ clusters: 100, crossFitted: null })).toBe(
      "cannot tell from demonstrations",
    );
    expect(verdictOf([0.5, 0.01], 9)).toBe("cannot tell from so few rows");
    expect(verdictOf([0.5, null])).toBe("cannot tell from so few rows");
  });
});

const row = (declared: number, candidates: readonly number[], index: number): HeadroomRow => ({
  cluster: `c${index}`,
  declared,
  candidates,
});
const options = { names: ["one"], testRows: 100, seed: 0 };
/** Three rows of ten are gained. */
const gained = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0].map((score, index) => row(0, [score], index));

describe("the figures", () => {
  it("have a gain's error, Student's interval, and what test can show", () => {
    const figures = headroomFigures(gained, options);
    // By hand: the variance is .7 / 3, and t at .975 with 9 degrees of freedom is 2.262157.
    const error = Math.sqrt(0.7 / 30);
    expect(figures.candidates[0]).toEqual({
      name: "one",
      mean: expect.closeTo(0.3, 12),
      gain: expect.closeTo(0.3, 12),
      standardError: expect.closeTo(error, 12),
      interval: {
        low: expect.closeTo(0.3 - 2.262157 * error, 6),
        high: expect.closeTo(0.3 + 2.262157 * error, 6),
      },
    });
    expect(figures.smallestGain).toBeCloseTo(2.8 * Math.sqrt(0.7 / 3 / 100), 12);
    expect(figures.shares).toEqual({
      right: 0,
      rightWithSome: 0.3,
      rightWithNone: 0.7,
      withoutOutputs: {},
    });
  });

  it("take no rows of one cluster for independent", () => {
    const doubled = gained.flatMap((one) => [one, one]);
    const [once, twice] = [gained, doubled].map(
      (rows) => headroomFigures(rows, options).candidates[0],
    );
    expect(twice?.standardError).toBeCloseTo(once?.standardError ?? 0, 12);
  });

  it("score the best candidate on rows that were not used to choose it", () => {
    const figures = headroomFigures(gained, options);
    expect(figures.crossFitted?.gain).toBeCloseTo(0.3, 12);
    // Luck alone: each candidate is right on the rows where the other is wrong.
    const opposed = Array.from({ length: 20 }, (_, index) =>
      row(0.5, [index % 2, 1 - (index % 2)], index),
    );
    const { candidates, crossFitted } = headroomFigures(opposed, {
      ...options,
      names: ["one", "other"],
    });
    expect(candidates.map(({ gain }) => gain)).toEqual([0, 0]);
    expect(crossFitted?.gain).toBeLessThan(-0.02);
  });

  it("tell by how much two runs of the program differ", () => {
    const noisy = gained.map((one, index) => ({ ...one, ...(index < 5 && { again: index % 2 }) }));
    expect(headroomFigures(noisy, options).noise).toEqual({
      rows: 5,
      difference: 0.4,
      changed: 0.4,
    });
  });

  it("go by a coin with the declared score where nothing differs or is compared", () => {
    const half = gained.map((_, index) => row(index % 2, [index % 2], index));
    const alone = half.map(({ cluster, declared }) => ({ cluster, declared, candidates: [] }));
    expect(headroomFigures(half, options).smallestGain).toBeCloseTo(0.14, 12);
    const figures = headroomFigures(alone, { ...options, names: [] });
    expect(figures.smallestGain).toBeCloseTo(0.14, 12);
    expect(figures).toMatchObject({ best: null, crossFitted: null });
    const perfect = gained.map((_, index) => row(1, [1], index));
    expect(headroomFigures(perfect, options).smallestGain).toBeNull();
  });

  it("count rows without outputs by the failure's code", () => {
    const failing = gained.map((one, index) => ({
      ...one,
      ...(index > 7 && { failure: "output-truncated" }),
    }));
    expect(headroomFigures(failing, options).shares.withoutOutputs).toEqual({
      "output-truncated": 0.2,
    });
  });
});
