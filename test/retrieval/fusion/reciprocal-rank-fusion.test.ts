import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { reciprocalRankFusion } from "espalier/retrieval";
import { sharedData } from "../../support/shared-data.ts";

const run = (...ids: readonly string[]) => ids.map((id) => ({ id }));
const scoresOf = (fused: readonly { readonly id: string; readonly score: number }[]) =>
  Object.fromEntries(fused.map(({ id, score }) => [id, score]));

describe("reciprocal rank fusion", () => {
  it("adds 1 / (k0 + rank) over the runs", () => {
    const fused = reciprocalRankFusion([run("a", "b", "c"), run("b", "d", "a")]);
    expect(fused).toEqual([
      { id: "b", score: 1 / 61 + 1 / 62 },
      { id: "a", score: 1 / 63 + 1 / 61 },
      { id: "d", score: 1 / 62 },
      { id: "c", score: 1 / 63 },
    ]);
  });

  it("weighs runs, and leaves out those of weight 0", () => {
    const runs = [run("a"), run("b"), run("c")];
    const fused = reciprocalRankFusion(runs, { k0: 1, weights: [1, 4, 0] });
    expect(fused).toEqual([
      { id: "b", score: 2 },
      { id: "a", score: 0.5 },
    ]);
  });

  it("breaks ties by id, counts a repeated id once, and hands items on", () => {
    const runs = [
      [
        { id: "z", title: "Z" },
        { id: "z", title: "again" },
        { id: "y", title: "Y" },
      ],
      [{ id: "a", title: "A" }],
    ];
    expect(reciprocalRankFusion(runs, { k0: 0 })).toEqual([
      { id: "a", title: "A", score: 1 },
      { id: "z", title: "Z", score: 1 },
      { id: "y", title: "Y", score: 0.5 },
    ]);
    expect(reciprocalRankFusion([])).toEqual([]);
  });

  it.each([
    [{ k0: -1 }, "k0"],
    [{ k0: Number.NaN }, "k0"],
    [{ weights: [1] }, "2 weights"],
    [{ weights: [1, -1] }, "none negative"],
    [{ weights: [0, 0] }, "at least one positive"],
    [{ weights: [1, Number.POSITIVE_INFINITY] }, "finite"],
  ])("refuses %j", (options, expected) => {
    const fuse = () => reciprocalRankFusion([run("a"), run("b")], options);
    expect(fuse).toThrow(expect.objectContaining({ code: "option-invalid" }));
    expect(fuse).toThrow(expected);
  });
});

const worked = sharedData("mtrag-eval/worked_examples.json");
test.skipIf(worked.isAbsent)(`agrees with the worked examples${worked.note}`, () => {
  const { rrf_k60: plain, nested_rrf_fiqa: nested } = JSON.parse(readFileSync(worked.file, "utf8"));
  const lists = plain.lists as string[][];
  const fused = reciprocalRankFusion(lists.map((ids) => run(...ids)));
  expect(Object.keys(plain.scores)).toHaveLength(4);
  for (const [id, score] of Object.entries(scoresOf(fused))) {
    expect(score).toBeCloseTo(plain.scores[id], 15);
  }

  // Nested, with the constants published for FiQA: 40 and .33, .33, .34; then 60 and .45, .40, .15.
  const weak = reciprocalRankFusion(
    [run(...nested.anchor_keyword), run(...nested.cot), run(...nested.hyde)],
    { k0: 40, weights: [0.33, 0.33, 0.34] },
  );
  expect(weak.map(({ id }) => id)).toEqual(nested.weak);
  const final = reciprocalRankFusion(
    [run(...nested.minimal), run(...nested.corpus_specific), weak],
    { k0: 60, weights: [0.45, 0.4, 0.15] },
  );
  expect(final.map(({ id }) => id)).toEqual(nested.final);
  for (const { id, score } of final) expect(score).toBeCloseTo(nested.final_scores[id], 15);
});

describe("laws of reciprocal rank fusion", () => {
  const ids: fc.Arbitrary<string[]> = fc.uniqueArray(
    fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
    {
      maxLength: 10,
    },
  );
  const runs = fc.array(ids, { minLength: 1, maxLength: 5 });
  const k0 = fc.double({ min: 0, max: 1_000, noNaN: true });
  const weight = fc.double({ min: 0.01, max: 10, noNaN: true });

  it("the order of the runs does not matter, to the last bit", () => {
    const weighted = fc.array(fc.record({ ids, weight }), { minLength: 1, maxLength: 5 });
    const fuse = (
      parts: readonly { readonly ids: string[]; readonly weight: number }[],
      k0: number,
    ) =>
      reciprocalRankFusion(
        parts.map((part) => run(...part.ids)),
        { k0, weights: parts.map((part) => part.weight) },
      );
    fc.assert(
      fc.property(weighted, k0, fc.nat(4), (parts, k0, turn) => {
        const turned = [...parts.slice(turn), ...parts.slice(0, turn)];
        expect(fuse(turned, k0)).toEqual(fuse(parts, k0));
        expect(fuse(parts.toReversed(), k0)).toEqual(fuse(parts, k0));
      }),
    );
  });

  it("holds every id once, best first, and no other", () => {
    fc.assert(
      fc.property(runs, k0, (runs, k0) => {
        const fused = reciprocalRankFusion(
          runs.map((ids) => run(...ids)),
          { k0 },
        );
        expect(fused.map(({ id }) => id).toSorted()).toEqual([...new Set(runs.flat())].toSorted());
        const scores = fused.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((left, right) => right - left));
      }),
    );
  });

  it("moving an item up in one run never moves it down in the result", () => {
    const placeOf = (runs: readonly string[][], id: string) =>
      reciprocalRankFusion(runs.map((ids) => run(...ids))).findIndex((item) => item.id === id);
    fc.assert(
      fc.property(
        runs.filter(([first = []]) => first.length >= 2),
        fc.nat(8),
        ([first = [], ...others], choice) => {
          const index = 1 + (choice % (first.length - 1));
          const id = first[index] as string;
          const raised = first.with(index, first[index - 1] as string).with(index - 1, id);
          expect(placeOf([raised, ...others], id)).toBeLessThanOrEqual(
            placeOf([first, ...others], id),
          );
        },
      ),
    );
  });

  it("a run fused with itself, or alone, keeps its order", () => {
    fc.assert(
      fc.property(ids, k0, (ids, k0) => {
        for (const count of [1, 2, 3]) {
          const fused = reciprocalRankFusion(Array(count).fill(run(...ids)), { k0 });
          expect(fused.map(({ id }) => id)).toEqual(ids);
        }
      }),
    );
  });
});
