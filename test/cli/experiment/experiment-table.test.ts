import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { randomSource } from "espalier";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { meanOf, resultOf, tableIn } from "./support.ts";

const towns = "test/cli/fixtures/town-experiment.ts";

/** 95 % by percentiles of resampled clusters, written anew, with another random source. */
function bootstrapped(rows: readonly { readonly cluster: string; readonly value: number }[]) {
  const clusters = [...Map.groupBy(rows, ({ cluster }) => cluster).values()];
  const random = randomSource(99, "an independent bootstrap");
  const means = Array.from({ length: 4_000 }, () =>
    meanOf(clusters.flatMap(() => random.choice(clusters)).map(({ value }) => value)),
  ).toSorted((left, right) => left - right);
  return { low: means[100] ?? NaN, high: means[3_899] ?? NaN };
}

test("has the figures, intervals and paired differences that follow from the rows' files", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const { code, stdout } = await runMain(["experiment", towns, "--run", run]);
  expect(code).toBe(0);
  const { rows, breakdowns } = await tableIn(run);
  const [declared = [], terse = []] = await Promise.all(
    ["as-declared", "terse"].map((row) => resultOf(run, row)),
  );

  const [before, after] = rows;
  const values = declared.map(({ score }) => score.value);
  const others = terse.map(({ cluster, score }) => ({ cluster, value: score.value }));
  expect(before?.figures[0]?.value).toBeCloseTo(meanOf(values), 12);
  const figure = after?.figures[0];
  expect(figure?.value).toBeCloseTo(meanOf(others.map(({ value }) => value)), 12);
  const byHand = bootstrapped(others);
  expect(Math.abs((figure?.interval.low ?? NaN) - byHand.low)).toBeLessThan(0.03);
  expect(Math.abs((figure?.interval.high ?? NaN) - byHand.high)).toBeLessThan(0.03);

  // The rows are in the order of the examples in both files.
  expect(declared.map(({ exampleId }) => exampleId)).toEqual(
    terse.map(({ exampleId }) => exampleId),
  );
  const differences = others.map(({ cluster, value }, index) => ({
    cluster,
    value: value - (values[index] ?? NaN),
  }));
  const difference = figure?.difference;
  expect(difference?.difference).toBeCloseTo(meanOf(differences.map(({ value }) => value)), 12);
  expect(difference?.difference).toBeLessThan(-0.2);
  expect(difference?.examples).toBe(40);
  const paired = bootstrapped(differences);
  expect(Math.abs((difference?.interval.low ?? NaN) - paired.low)).toBeLessThan(0.03);
  expect(Math.abs((difference?.interval.high ?? NaN) - paired.high)).toBeLessThan(0.03);

  const letters = breakdowns.find(({ name }) => name === "first letter")?.groups ?? [];
  const ofTerse = letters.filter(({ row }) => row === "terse");
  const byLetter = Map.groupBy(terse, ({ output }) => output?.answer?.slice(0, 1).toUpperCase());
  expect(ofTerse.map(({ group }) => group)).toEqual([...byLetter.keys()].toSorted());
  for (const { group, examples, figures } of ofTerse) {
    const members = byLetter.get(group) ?? [];
    expect(examples).toBe(members.length);
    expect(figures[0]?.value).toBeCloseTo(meanOf(members.map(({ score }) => score.value)), 12);
  }

  const words = after?.figures.find(({ metric }) => metric === "words");
  const counted = terse.map(({ output }) => output?.answer?.split(" ").length ?? NaN);
  expect(words?.value).toBeCloseTo(meanOf(counted), 12);
  const earlier = declared.map(({ output }) => output?.answer?.split(" ").length ?? NaN);
  expect(words?.difference?.difference).toBeCloseTo(meanOf(counted) - meanOf(earlier), 12);
  expect(stdout).toMatch(/\| terse \| words \| .*, (higher|lower|not shown to differ) \|/);

  // What is printed is what is written, and holds the same figures.
  expect(stdout.trim()).toBe((await readFile(join(run, "table.md"), "utf8")).trim());
  expect(stdout).toContain(`| terse | token_f1 | ${figure?.value.toFixed(4)} [`);
  expect(stdout).toContain("| 0.5 (table 1) | another town; mocks: LM (rehearsal) |");
  expect(stdout).toContain("| first letter | row | figure | value | n |");
});

test("prints one line of JSON if asked, and keeps to the sample, split and seed it is given", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const sampled = ["--split", "train", "--sample", "7", "--seed", "3"];
  const { code, stdout } = await runMain(["experiment", towns, ...sampled, "--json", "--run", run]);
  expect(code).toBe(0);
  const table = JSON.parse(stdout) as object;
  expect(table).toEqual(await tableIn(run));
  expect(table).toMatchObject({
    format: "espalier-experiment/1",
    split: "train",
    seed: 3,
    rows: [{ examples: 7 }, { examples: 7 }],
  });
  const [first, second] = await Promise.all(
    ["as-declared", "terse"].map(async (row) =>
      (await resultOf(run, row)).map(({ exampleId }) => exampleId),
    ),
  );
  expect(first).toEqual(second);
});

test("optimizes a row first where asked, compares with the row named, and shows further figures", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const places = "test/cli/fixtures/place-experiment.ts";
  const { code, stdout } = await runMain(["experiment", places, "--run", run]);
  expect(code).toBe(0);
  const { rows, costs } = await tableIn(run);
  const [declared, optimized, word] = await Promise.all(
    ["as-declared", "optimized", "one-word"].map((row) => resultOf(run, row)),
  );
  const narrow = (of: typeof declared): number =>
    meanOf((of ?? []).map(({ score }) => score.objectives?.["narrow"] ?? NaN));
  expect(rows.map(({ figures }) => figures.map(({ metric }) => metric))).toEqual(
    Array.from({ length: 3 }, () => ["found-place", "broad", "narrow"]),
  );
  expect(rows[1]?.figures[2]?.value).toBeCloseTo(narrow(optimized), 12);
  expect(rows[1]?.figures[2]?.difference?.difference).toBeCloseTo(
    narrow(optimized) - narrow(declared),
    12,
  );
  expect(rows[2]?.figures[2]?.difference?.difference).toBeCloseTo(
    narrow(word) - narrow(optimized),
    12,
  );
  // The candidate that was chosen, taken to another command, scores the same.
  const candidate = ["--candidate", join(run, "rows/optimized/candidate.json")];
  const study = ["eval", "test/cli/fixtures/places.ts", "--split", "test", "--json"];
  const scored = await runMain([...study, ...candidate]);
  expect(JSON.parse(scored.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    value: rows[1]?.figures[0]?.value,
  });
  // 20 test examples for each row, and at most 60 runs of the search.
  expect(rows.map((row) => row.costs.metricCalls)).toEqual([20, expect.any(Number), 20]);
  expect(rows[1]?.costs.metricCalls).toBeGreaterThan(20 + 14);
  expect(rows[1]?.costs.metricCalls).toBeLessThanOrEqual(20 + 60);
  expect(costs.lmCalls).toBe(rows.reduce((sum, row) => sum + row.costs.lmCalls, 0));
  expect(stdout).toMatch(/\noptimized: stopped at the budget .* metric calls; candidate \d+ of/);
  // A title cannot break the table.
  expect(stdout).toContain("# Places | found\n");
});
