import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { MetricRow } from "../../src/contract/index.ts";
import type { Evaluation } from "../../src/evaluate/index.ts";
import { compare, evaluate } from "../../src/evaluate/index.ts";
import { randomSource } from "../../src/internal/index.ts";
import { metric, notApplicable, scored } from "../../src/metric/index.ts";
import { thrownBy } from "../support/thrown-by.ts";
import type { Held } from "./programs.ts";
import { echo, evaluateValues, examplesOf, failureWith, identity, unusedLm } from "./programs.ts";

type Clusters = readonly (readonly number[])[];

const reference = JSON.parse(
  await readFile(new URL("fixtures/scipy-reference.json", import.meta.url), "utf8"),
) as {
  readonly intervals: readonly { clusters: Clusters; low: number; high: number }[];
  readonly pairs: readonly { baseline: Clusters; other: Clusters; pValue: number }[];
};

const quick = { resamples: 0 };

async function evaluations(
  ...systems: readonly (readonly (number | readonly number[])[])[]
): Promise<[Evaluation, Evaluation]> {
  const [baseline = [], other = []] = systems;
  return [await evaluateValues(baseline, quick), await evaluateValues(other, quick)];
}

test.each(reference.pairs)(
  "agrees with scipy's exact permutation test, p = $pValue",
  async ({ baseline, other, pValue }) => {
    const found = compare(...(await evaluations(baseline, other)));
    expect(found.pValue).toBeCloseTo(pValue, 14);
    expect(found.clusters).toBe(baseline.length);
  },
);

test("comes near the exact p-value when it samples the exchanges", async () => {
  const { baseline, other, pValue } = reference.pairs[0]!;
  const [left, right] = await evaluations([...baseline, ...baseline], [...other, ...other]);
  const exact = compare(left, right, { resamples: 1024 }).pValue;
  const sampled = compare(left, right, { resamples: 1000 }).pValue;
  expect(pValue).toBeGreaterThan(0);
  expect(sampled).not.toBe(exact);
  // Four standard errors of a share from 1,000 draws.
  expect(Math.abs(sampled - exact)).toBeLessThan(
    4 * Math.sqrt((exact * (1 - exact)) / 1000) + 0.001,
  );
});

test("never calls a sampled p-value 0", async () => {
  const ones = Array.from({ length: 40 }, () => 1);
  const [baseline, other] = await evaluations(
    ones,
    ones.map(() => 2),
  );
  expect(compare(baseline, other, { resamples: 99 }).pValue).toBe(1 / 100);
});

test("agrees with scipy's BCa interval of the paired difference", async () => {
  const { clusters, low, high } = reference.intervals[2]!;
  const { interval } = compare(
    ...(await evaluations(
      clusters.map((rows) => rows.map(() => 0)),
      clusters,
    )),
    { resamples: 40_000 },
  );
  const tolerance = 0.02 * (high - low);
  expect(Math.abs((interval?.low ?? NaN) - low)).toBeLessThan(tolerance);
  expect(Math.abs((interval?.high ?? NaN) - high)).toBeLessThan(tolerance);
});

test("claims better or worse only when interval and p-value agree", async () => {
  const low = Array.from({ length: 12 }, (_, index) => index / 24);
  const high = low.map((value, index) => value + 0.1 + (index % 3) / 100);
  const [baseline, other] = await evaluations(low, high);
  expect(compare(baseline, other)).toMatchObject({
    verdict: "better",
    pValue: 2 / 2 ** 12,
    examples: 12,
    clusters: 12,
    better: 12,
    worse: 0,
    equal: 0,
    dropped: [],
  });
  expect(compare(baseline, other).difference).toBeCloseTo(0.11, 12);
  expect(compare(other, baseline)).toMatchObject({ verdict: "worse", better: 0, worse: 12 });
});

test("does not take three lucky examples for a win, although the bootstrap alone would", async () => {
  const found = compare(...(await evaluations([0.1, 0.2, 0.3], [0.2, 0.4, 0.6])));
  expect(found.interval?.low).toBeGreaterThan(0);
  expect(found).toMatchObject({ verdict: "undecided", pValue: 0.25 });
});

test("claims nothing when the interval touches zero or there is one cluster only", async () => {
  const same = compare(...(await evaluations([0.5, 0.25, 1], [0.5, 0.25, 1])));
  expect(same).toMatchObject({
    difference: 0,
    interval: { low: 0, high: 0 },
    pValue: 1,
    verdict: "undecided",
    equal: 3,
  });
  const one = compare(...(await evaluations([[0, 0, 0, 0]], [[1, 1, 1, 1]])));
  expect(one).toMatchObject({ interval: null, verdict: "undecided", clusters: 1, pValue: 1 });
});

test("claims a difference between equal systems in about 5 of 100 trials at most", async () => {
  const trials = 200;
  let claims = 0;
  for (let trial = 0; trial < trials; trial++) {
    const { random, below } = randomSource(5, "null", trial);
    const sizes = Array.from({ length: 15 }, () => 1 + below(4));
    const draw = () => sizes.map((size) => Array.from({ length: size }, random));
    const found = compare(...(await evaluations(draw(), draw())), { resamples: 500, seed: trial });
    if (found.verdict !== "undecided") claims++;
  }
  expect(claims).toBeGreaterThan(0);
  // 10 expected, at most; three standard errors more are 19.
  expect(claims).toBeLessThan(20);
});

/** An evaluation of `e0`... in which `unscored` ids met faults and `skipped` ids do not apply. */
function partly(
  values: readonly number[],
  { unscored = [], skipped = [] }: { unscored?: string[]; skipped?: string[] },
): Promise<Evaluation<Held>> {
  const program = echo((input, { exampleId = "" }) => {
    if (unscored.includes(exampleId)) throw failureWith("lm-stalled");
    return input;
  });
  const judge = metric<Held, Held>({
    name: "identity",
    version: "1",
    score: ({ example, output }) =>
      skipped.includes(example.id) ? notApplicable("skipped") : scored(output.value),
  });
  return evaluate({ program, examples: examplesOf(values), metric: judge, lm: unusedLm, ...quick });
}

test("drops what is not scored in both, and says which and why", async () => {
  const baseline = await partly([1, 1, 1, 1, 1], { unscored: ["e0"], skipped: ["e1", "e3"] });
  const other = await partly([2, 2, 2, 2, 2, 2], { unscored: ["e4"], skipped: ["e3"] });
  expect(compare(baseline, other)).toMatchObject({
    difference: 1,
    examples: 1,
    dropped: [
      { exampleId: "e0", because: "unscored" },
      { exampleId: "e1", because: "not-applicable" },
      { exampleId: "e4", because: "unscored" },
      { exampleId: "e5", because: "absent" },
    ],
  });
});

test("pairs by id, not by place", async () => {
  const examples = examplesOf([0, 1, 2]);
  const options = { program: echo(), metric: identity, lm: unusedLm, ...quick };
  const forward = await evaluate({ ...options, examples });
  const backward = await evaluate({ ...options, examples: examples.toReversed() });
  expect(compare(forward, backward)).toMatchObject({ difference: 0, equal: 3 });
});

test("refuses different metrics and evaluations that share no scored example", async () => {
  const [baseline] = await evaluations([1], [1]);
  const newer = { ...baseline, metric: { name: "identity", version: "2" } };
  const error = await thrownBy(() => compare(baseline, newer));
  expect(`${error.code}: ${error.message}`).toBe(
    "comparison-invalid: The two evaluations were made with different metrics. Expected: metric identity 1 in both. Got: identity 2. Evaluate both programs with the same metric and version.",
  );
  const other = await partly([1], { unscored: ["e0"] });
  expect((await thrownBy(() => compare(baseline, other))).message).toContain(
    "The two evaluations share no scored example.",
  );
});

test("compares by a metric's own aggregate, given the metric and the examples", async () => {
  const weakest = {
    ...identity,
    aggregate: (rows: readonly { readonly value: number }[]) =>
      Math.min(...rows.map(({ value }) => value)),
  };
  const options = { program: echo(), metric: weakest, lm: unusedLm, ...quick };
  const examples = examplesOf([1, 5, 2]);
  const baseline = await evaluate({ ...options, examples });
  const improved = echo(({ value }) => ({ value: value === 1 ? 3 : value === 5 ? 9 : 2.5 }));
  const other = await evaluate({ ...options, program: improved, examples });

  expect((await thrownBy(() => compare(baseline, other))).report.expected).toBe(
    "option `aggregate: { metric, examples }`",
  );
  const found = compare(baseline, other, { aggregate: { metric: weakest, examples } });
  // By hand: of the 8 exchanges, those of none, e1, e0 with e2, and all give 1.5 either way.
  expect(found).toMatchObject({ difference: 1.5, pValue: 0.5, better: 3, verdict: "undecided" });
  const partial = { metric: weakest, examples: examples.slice(1) };
  expect(
    (await thrownBy(() => compare(baseline, other, { aggregate: partial }))).message,
  ).toContain("Example `e0` was evaluated but is not among the given examples.");
});

test("hands further objectives of either side to the aggregate", async () => {
  const product = {
    ...identity,
    doScore: ({ output: { value } }: { readonly output: Held }) =>
      scored(value, undefined, undefined, { half: value / 2 }),
    aggregate: (rows: readonly MetricRow[]) =>
      rows.reduce((sum, { value, objectives }) => sum + value * (objectives?.["half"] ?? NaN), 0),
  };
  const options = { metric: product, lm: unusedLm, ...quick, examples: examplesOf([1, 2]) };
  const baseline = await evaluate({ ...options, program: echo() });
  const doubled = echo(({ value }) => ({ value: value * 2 }));
  const other = await evaluate({ ...options, program: doubled });
  const aggregate = { metric: product, examples: options.examples };
  expect(compare(baseline, other, { aggregate }).difference).toBe(10 - 2.5);
});

test("is frozen and depends on the seed alone", async () => {
  const [baseline, other] = await evaluations([0.1, 0.5, 0.2], [0.3, 0.4, 0.9]);
  const found = compare(baseline, other, { resamples: 300, seed: 3 });
  expect(Object.isFrozen(found)).toBe(true);
  expect(compare(baseline, other, { resamples: 300, seed: 3 })).toEqual(found);
});

test.each([NaN, -1, 0.5, Infinity])("refuses %d resamples", async (resamples) => {
  const [baseline, other] = await evaluations([0, 1], [1, 1]);
  const error = await thrownBy(() => compare(baseline, other, { resamples }));
  expect([error.code, error.report.got]).toEqual(["option-invalid", String(resamples)]);
});
