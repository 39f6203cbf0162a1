import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ExperimentFigure } from "espalier";
import { experiment } from "espalier";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { placeStudy } from "../../optimizer/support/place-search.ts";
import { servedExperiment } from "./served-experiment.ts";
import { tableIn } from "./support.ts";

const towns = "test/cli/fixtures/town-experiment.ts";
const row = { name: "one", study: placeStudy };
const words: ExperimentFigure = { name: "words", of: () => 1 };
const about = { name: "places", title: "Places", source: "tests" };

describe("a declaration is refused", () => {
  test.each([
    ["without rows", { rows: [] }, "at least one row"],
    ["with two rows of one name", { rows: [row, row] }, 'two rows "one"'],
    [
      "with a row against no row",
      { rows: [{ ...row, against: "two" }] },
      'name of another row: one. Got: "two" in row "one"',
    ],
    ["with a row that names no folder", { rows: [{ ...row, name: "../up" }] }, '"../up"'],
    ["with a name that names no folder", { name: "A b", rows: [row] }, '"A b"'],
    [
      "with two breakdowns of one name",
      {
        rows: [row],
        breakdowns: [
          { name: "turn", by: "turn" },
          { name: "turn", by: "other" },
        ],
      },
      'two breakdowns "turn"',
    ],
    [
      "with two figures of one name",
      {
        rows: [row],
        figures: [words, words],
      },
      'two figures "words"',
    ],
    ["with no such split", { rows: [row], split: "dev" as "test" }, '"dev"'],
    ["with a row against itself", { rows: [{ ...row, against: "one" }] }, '"one" in row "one"'],
    [
      "with two published figures for one metric",
      {
        rows: [
          {
            ...row,
            published: [
              { value: 0.1, of: "table 1", differs: "model" },
              { value: 0.2, of: "table 2", differs: "model" },
            ],
          },
        ],
      },
      'two for the objective in row "one"',
    ],
  ])("%s", async (_what, wrong, said) => {
    const error = await thrownBy(() => experiment({ ...about, ...wrong }));
    expect(error).toMatchObject({ code: "experiment-invalid" });
    expect(String(error)).toContain(said);
  });
});

describe("a command line is refused", () => {
  test.each([
    ["without a file", [], "No experiment is given"],
    ["with a file and --list", [towns, "--list"], "--list takes no file"],
    [
      "with a study's file",
      ["test/cli/fixtures/towns.ts"],
      '"test/cli/fixtures/towns.ts" does not default-export an experiment',
    ],
    ["with no such file", ["nowhere.ts"], 'No experiment file at "nowhere.ts"'],
    ["with a variant that a study lacks", [towns, "--trainset", "moon"], 'no variant "moon"'],
    ["with a split that is empty", [towns, "--split", "test"], 'The split "test"'],
    ["with a size that has no meaning here", [towns, "--budget", "small"], "--budget"],
    ["with a cap on money and no prices", [towns, "--max-usd", "1"], "without prices"],
  ])("%s", async (_what, words, said) => {
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const { code, stdout, stderr } = await runMain(["experiment", ...words, "--run", run]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
    await expect(readFile(join(run, "experiment.json"))).rejects.toThrow("ENOENT");
  });
});

test("a folder is claimed by one experiment, and resumed as that one alone", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const nothing = await runMain(["experiment", towns, "--resume", run]);
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toContain("There is no experiment to resume");

  const options = ["--sample", "5", "--seed", "2"];
  expect(await runMain(["experiment", towns, ...options, "--run", run])).toMatchObject({ code: 0 });
  const table = await tableIn(run);
  const again = await runMain(["experiment", towns, "--run", run]);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("already holds an experiment");
  const other = await runMain([
    "experiment",
    "test/cli/fixtures/near-experiment.ts",
    "--resume",
    run,
  ]);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('"near-experiment"');
  const seeded = await runMain(["experiment", towns, "--seed", "4", "--resume", run]);
  expect(seeded.code).toBe(2);
  expect(seeded.stderr).toContain("`seed` (--seed) was ");

  // With nothing else, as it was begun; finished rows are read back, with their times.
  const resumed = await runMain(["experiment", towns, "--resume", run]);
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain("original options: --sample 5 --seed 2 --servers none");
  expect(await tableIn(run)).toEqual(table);

  // A lost result is scored again from its recorded replies.
  await rm(join(run, "rows/terse/result.json"));
  await runMain(["experiment", towns, "--resume", run]);
  const { rows } = await tableIn(run);
  expect(rows[1]?.figures).toEqual(table.rows[1]?.figures);

  await writeFile(join(run, "rows/terse/row.json"), '{"format":"espalier-experiment-row/2"}');
  const broken = await runMain(["experiment", towns, "--resume", run]);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain("An experiment's row file is malformed");
});

test("a row whose optimizer had other gold is not taken for the same row", async () => {
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const gold = "test/cli/fixtures/gold-experiment.ts";
  const few = ["--sample", "2"];
  expect(await runMain(["experiment", gold, ...few, "--run", run])).toMatchObject({ code: 0 });
  expect(await runMain(["experiment", gold, "--resume", run])).toMatchObject({ code: 0 });
  const other = "test/cli/fixtures/other-gold-experiment.ts";
  const refused = await runMain(["experiment", other, "--resume", run]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("the study's gold changed");
});

test("a row is not resumed with a judge of its own that it did not have", async () => {
  await using served = await servedExperiment();
  const capped = served.begin(towns, "--sample", "5", "--max-lm-calls", "8");
  expect((await runMain(capped)).code).toBe(4);
  const sent = served.received();
  const judge = ["--judge-lm", `${served.url}/v1`, "--max-lm-calls", "1000"];
  const refused = await runMain(served.resume(towns, ...judge));
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/`judge` is new \(".+"/);
  expect(served.received()).toBe(sent);
});

test("a figure that the metric reports, too, is refused, and no result is lost", async () => {
  await using served = await servedExperiment();
  const twofold = "test/cli/fixtures/twofold-experiment.ts";
  const refused = await runMain(served.begin(twofold, "--sample", "4"));
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('a name other than found-place, broad, narrow. Got: "narrow"');
  const sent = served.received();
  expect(sent).toBeGreaterThan(0);
  expect(await runMain(served.resume(twofold))).toMatchObject({ code: 2 });
  expect(served.received()).toBe(sent);
});
