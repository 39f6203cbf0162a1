import { expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { servedExperiment } from "./served-experiment.ts";

const fixture = (name: string): string => `test/cli/fixtures/${name}-experiment.ts`;

test.each([
  ["data that an optimizer cannot use", "untrained", "row no-train", "Split `train`"],
  ["a candidate of another program", "misnamed", "row no-such-predictor", "deepQuery"],
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
  expect(stderr).toContain("Too few places");
  expect(stderr).toContain("--resume");
  const sent = served.received();
  expect(sent).toBeGreaterThan(0);
  expect(await runMain(served.resume(fixture("late")))).toMatchObject({ code: 2 });
  expect(served.received()).toBe(sent);
});
