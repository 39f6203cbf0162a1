import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { servedExperiment } from "./served-experiment.ts";
import { tableIn } from "./support.ts";

const faulty = "test/cli/fixtures/faulty-experiment.ts";

test("rows that cannot run say why, and the others run", async () => {
  await using served = await servedExperiment();
  const { code, stdout, stderr } = await runMain(served.begin(faulty));
  expect(code).toBe(2);
  const { rows, costs } = await tableIn(served.run);
  const [late, noTrain, noPredictor, noData, declared] = rows;
  expect(rows.map(({ failure }) => failure?.code)).toEqual([
    "dataset-invalid",
    "dataset-invalid",
    "component-unknown",
    "file-missing",
    undefined,
  ]);
  expect(late?.notRun).toBe("Too few places");
  expect(noTrain?.notRun).toContain("Split `train` of trainset `untrained` cannot be used");
  expect(noTrain?.notRun).toContain("got no examples");
  expect(noPredictor?.notRun).toContain("deepQuery");
  expect(noData).toMatchObject({ notRun: "PLACES_DIR is not set", examples: 0 });
  expect(noData).not.toHaveProperty("study");
  expect(noTrain).toMatchObject({ study: "places", trainset: { name: "untrained" } });
  expect(declared).not.toHaveProperty("notRun");
  expect(declared?.figures[0]?.value).toBeGreaterThan(0);
  expect(declared?.figures[0]).not.toHaveProperty("difference");

  // What the first one spent before it failed is in the table.
  expect(late?.costs.lmCalls).toBeGreaterThan(0);
  expect(costs.lmCalls).toBe((late?.costs.lmCalls ?? 0) + (declared?.costs.lmCalls ?? 0));
  expect(stdout).toContain("| no-data |  | did not run: PLACES_DIR is not set |");
  expect(stderr).toContain("late, no-train, no-such-predictor, no-data");
  expect(stderr).toContain(`--resume`);
});

test("what a row spent before its fault counts against the caps, also when resumed", async () => {
  await using served = await servedExperiment();
  await runMain(served.begin(faulty));
  const { rows } = await tableIn(served.run);
  const [late] = rows;
  const spent = late?.costs.metricCalls ?? 0;
  const sent = served.received();
  await rm(join(served.run, "rows/as-declared"), { recursive: true });

  const tight = await runMain(served.resume(faulty, "--budget", String(spent + 19)));
  expect(tight.code).toBe(4);
  const under = await tableIn(served.run);
  expect(under.rows[0]).toMatchObject({ failure: { code: "dataset-invalid" } });
  expect(under.rows[4]?.notRun).toContain("19 metric calls left");
  expect(served.received()).toBe(sent);

  const enough = await runMain(served.resume(faulty, "--budget", String(spent + 20)));
  expect(enough.code).toBe(2);
  const { rows: again } = await tableIn(served.run);
  expect(again[4]?.figures[0]?.value).toBe(rows[4]?.figures[0]?.value);
});

test("--dry-run says which rows cannot run, and estimates the others", async () => {
  const words = ["experiment", faulty, "--dry-run"];
  const { code, stdout } = await runMain(words);
  expect(code).toBe(2);
  expect(stdout).toContain("| no-data | cannot run: PLACES_DIR is not set |");
  expect(stdout).toContain("| no-train | cannot run: Split `train` of trainset `untrained`");
  expect(stdout).toContain("| the 2 rows that can run | 60 |");
  const { stdout: json } = await runMain([...words, "--json"]);
  const { experiments } = JSON.parse(json) as {
    readonly experiments: readonly { readonly rows: readonly { readonly notRun?: string }[] }[];
  };
  expect(experiments[0]?.rows.map(({ notRun }) => notRun !== undefined)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});
