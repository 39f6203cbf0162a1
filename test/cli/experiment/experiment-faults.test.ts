import { expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { servedExperiment } from "./served-experiment.ts";

const fixture = (name: string): string => `test/cli/fixtures/${name}-experiment.ts`;

test.each([
  ["data that an optimizer cannot use", "untrained", "row no-train", "Split `train`"],
  ["a candidate of another program", "misnamed", "row no-such-predictor", "deepQuery"],
  [
    "a study that cannot be made",
    "unmade",
    "row no-study",
    "study-invalid: The study cannot be created",
  ],
  ["a figure named like its objective", "renamed", "row as-declared", 'Got: "found-place"'],
  ["two figures for one", "twice-published", "row as-published", "0.5 (table 1) and 0.6 (table 2)"],
  ["data that is not there", "no-data", "row no-data", "PLACES_DIR is not set"],
])("a row with %s is named before anything is sent", async (_what, name, row, said) => {
  await using served = await servedExperiment();
  const { code, stdout, stderr } = await runMain(served.begin(fixture(name)));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(row);
  expect(stderr).toContain(said);
  expect(served.received()).toBe(0);
});

test("a row that fails while it runs ends the experiment, which resumes without another call", async () => {
  await using served = await servedExperiment();
  const { code, stderr } = await runMain(served.begin(fixture("late")));
  expect(code).toBe(2);
  expect(stderr).toContain("Too few places (at row late)");
  expect(stderr).toContain("--resume");
  const sent = served.received();
  expect(sent).toBeGreaterThan(0);
  expect(await runMain(served.resume(fixture("late")))).toMatchObject({ code: 2 });
  expect(served.received()).toBe(sent);
});

test("a figure that is no number ends the experiment before another row is paid for", async () => {
  await using served = await servedExperiment();
  const { code, stderr } = await runMain(served.begin(fixture("uncounted")));
  expect(code).toBe(2);
  expect(stderr).toContain(
    'The figure "share" of an example is not a number (at row first, example ',
  );
  expect(stderr).toContain("--resume");
  expect(stderr).not.toContain("row second");
});
