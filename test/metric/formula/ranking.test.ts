import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RankedId } from "../../../src/metric/index.ts";
import { ndcgAt, rankedIds, recallAt } from "../../../src/metric/formula/ranking.ts";
import { sharedData } from "../../support/shared-data.ts";

interface RecordedRow {
  readonly run: readonly (readonly [string, number])[];
  readonly qrels: Readonly<Record<string, number>>;
  readonly expected: Readonly<Record<string, number>>;
}

function runOf(row: Pick<RecordedRow, "run">): RankedId[] {
  return row.run.map(([id, score]) => ({ id, score }));
}

/** Largest difference from the recorded values, over all cuts. */
function largestDifference({ run, qrels, expected }: RecordedRow): number {
  const differences = Object.entries(expected).map(([name, value]) => {
    const k = Number(name.slice(name.lastIndexOf("_") + 1));
    const formula = name.startsWith("recall") ? recallAt(k) : ndcgAt(k);
    return Math.abs(formula(runOf({ run }), qrels) - value);
  });
  expect(differences).toHaveLength(8);
  return Math.max(...differences);
}

const fixtures = sharedData("mtrag-eval/retrieval_fixtures.jsonl");

// The rows hold 10 decimals, so half a unit in the tenth is the most a right value can be off.
test.skipIf(fixtures.isAbsent)(
  `agrees with the recorded pytrec_eval values of every query${fixtures.note}`,
  async () => {
    const lines = (await readFile(fixtures.file, "utf8")).trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as RecordedRow);
    expect(rows.length).toBe(100);
    expect(rows.filter(({ run }) => run.length === 0).length).toBeGreaterThan(0);
    expect(rows.filter((row) => !(largestDifference(row) <= 0.5e-10 + 1e-15))).toEqual([]);
  },
);

test("agrees with pytrec_eval on graded judgements, float32 ties and ids beyond the basic plane", async () => {
  const text = await readFile(new URL("../fixtures/pytrec-eval.json", import.meta.url), "utf8");
  const { rows } = JSON.parse(text) as { rows: RecordedRow[] };
  expect(rows.length).toBe(64);
  expect(rows.filter((row) => !(largestDifference(row) <= 1e-15))).toEqual([]);
});

describe("on the worked examples", () => {
  test.each([
    [recallAt(1), 1 / 3],
    [recallAt(3), 2 / 3],
    [recallAt(5), 2 / 3],
    [recallAt(10), 1],
    [ndcgAt(1), 1],
    [ndcgAt(3), 0.7039180890341347],
    [ndcgAt(5), 0.7039180890341347],
    [ndcgAt(10), 0.8710785440003369],
  ])("gives the recorded figure (%#)", (formula, expected) => {
    const run = { a: 3, n1: 2.5, b: 2, n2: 1, n3: 0.5, c: 0.4 };
    const ranked = Object.entries(run).map(([id, score]) => ({ id, score }));
    expect(formula(ranked, { a: 1, b: 1, c: 1 })).toBe(expected);
  });

  test("puts the greater id first on a tie, and gives an empty run 0", () => {
    const tie = [
      { id: "m", score: 1 },
      { id: "x", score: 1 },
    ];
    expect([recallAt(1)(tie, { x: 1 }), ndcgAt(1)(tie, { x: 1 })]).toEqual([1, 1]);
    expect([recallAt(10)([], { z: 1 }), ndcgAt(10)([], { z: 1 })]).toEqual([0, 0]);
  });
});

test("breaks ties by UTF-8 bytes, where JavaScript compares UTF-16 units", () => {
  const ids = ["\u{1F600}", "\uFF5E", "é", "z"];
  expect(ids.toSorted().toReversed()).not.toEqual(ids);
  expect(rankedIds(ids.map((id) => ({ id, score: 1 })))).toEqual(ids);
});

test("takes scores that differ only beyond float32 for ties", () => {
  const run = [
    { id: "a", score: 0.1 + 1e-10 },
    { id: "b", score: 0.1 },
  ];
  expect(rankedIds(run)).toEqual(["b", "a"]);
});

test("lets the last score of a repeated id count, and counts the passage once", () => {
  const run = [
    { id: "a", score: 9 },
    { id: "b", score: 5 },
    { id: "a", score: 1 },
  ];
  expect(rankedIds(run)).toEqual(["b", "a"]);
});

test("does not find inherited properties among the judgements", () => {
  expect(recallAt(1)([{ id: "constructor", score: 1 }], { a: 1 })).toBe(0);
});

test("refuses a NaN score and a cut that is not a whole number from 1", () => {
  expect(() => rankedIds([{ id: "a", score: NaN }])).toThrow(
    "Passage `a` has the score NaN and cannot be ranked.",
  );
  for (const k of [0, -1, 1.5, NaN]) {
    expect(() => recallAt(k)).toThrow(`Expected: \`k\`, a whole number of at least 1. Got: ${k}.`);
  }
});

const runs = fc.uniqueArray(
  fc.record({
    id: fc.string({ unit: "grapheme", minLength: 1 }),
    score: fc.float({ noNaN: true }),
  }),
  { selector: ({ id }) => id },
);

test("does not depend on the order of the list", () => {
  const shuffledRuns = runs.chain((run) =>
    fc.tuple(fc.constant(run), fc.shuffledSubarray(run, { minLength: run.length })),
  );
  fc.assert(
    fc.property(shuffledRuns, ([run, shuffled]) => {
      expect(rankedIds(shuffled)).toEqual(rankedIds(run));
    }),
  );
});

test("gives nDCG 1 exactly when no better order of the first k exists", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1 }), (grades) => {
      const relevant = Object.fromEntries(grades.map((grade, index) => [`d${index}`, grade]));
      const best = grades.map((grade, index) => ({ id: `d${index}`, score: grade }));
      const expected = grades.some((grade) => grade > 0) ? 1 : 0;
      expect(ndcgAt(5)(best, relevant)).toBeCloseTo(expected, 12);
    }),
  );
});
