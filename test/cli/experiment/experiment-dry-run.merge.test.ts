import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { dryRunText } from "../../../src/cli/experiment/dry-run-text.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { writeRecordedTasks } from "./recorded-tasks.ts";
import { tableIn } from "./support.ts";

const repository = resolve(import.meta.dirname, "../../..");
const experiment = "test/cli/fixtures/town-experiment.ts";
const shipped = readdirSync("optimizers/experiments").filter((name) => name.endsWith(".ts"));

interface Dry {
  readonly experiments: readonly {
    readonly file: string;
    readonly rows: readonly {
      readonly row: string;
      readonly notRun?: string;
      readonly basis: string;
      readonly metricCalls: number;
      readonly calls: number;
      readonly promptTokens: number;
      readonly completionTokens: number;
      readonly usd: number | null;
      readonly hours: number | null;
    }[];
  }[];
}

afterEach(() => void vi.unstubAllEnvs());

async function dry(...words: readonly string[]) {
  const { code, stdout, stderr } = await runMain(["experiment", "--dry-run", "--json", ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return (JSON.parse(stdout) as Dry).experiments;
}

test("--list prints file, title and source of each shipped experiment, one line each", async () => {
  const { code, stdout } = await runMain(["experiment", "--list"], { cwd: repository });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split("  ")[0])).toEqual(
    shipped.toSorted().map((name) => join("optimizers", "experiments", name)),
  );
  for (const line of lines) expect(line).toMatch(/^\S+ {2}\S.* \(.+\)$/);
});

test("--dry-run of all shipped experiments gives calls, tokens and hours of each row", async () => {
  vi.stubEnv("ESPALIER_RECORDED_DIR", "");
  const all = await dry("--list", "--rate", "600");
  expect(all.map(({ file }) => file)).toHaveLength(shipped.length);
  const rows = all.flatMap((each) => each.rows);
  expect(rows.length).toBeGreaterThan(2 * shipped.length);
  // Nothing can be said of recorded outputs that are not there.
  const missing = rows.filter((row) => row.notRun !== undefined);
  expect(new Set(missing.map((row) => row.notRun))).toEqual(
    new Set(["ESPALIER_RECORDED_DIR is not set"]),
  );
  const recorded = all.filter(({ file }) => file.includes("recorded-"));
  expect(recorded.flatMap((each) => each.rows)).toEqual(missing);
  for (const { basis, metricCalls, calls, promptTokens, completionTokens, hours } of rows.filter(
    (row) => row.notRun === undefined,
  )) {
    expect(basis).toBe("rehearsal");
    expect(metricCalls).toBeGreaterThan(20);
    expect(Math.min(promptTokens, completionTokens)).toBeGreaterThanOrEqual(calls);
    expect(hours).toBeCloseTo(calls / 600 / 60, 12);
  }
  const callsOf = (file: string, row: string): number => {
    const table = all.find((each) => each.file.includes(file));
    return table?.rows.find((each) => each.row === row)?.calls ?? NaN;
  };
  // What a row leaves out is not counted, and what it repeats is counted each time.
  expect(callsOf("mtrag-baselines", "last-turn")).toBe(0);
  expect(callsOf("mtrag-baselines", "minimal-rewrite")).toBeGreaterThan(0);
  expect(callsOf("hanrag-question-sets", "no-retrieval")).toBe(44);
  expect(callsOf("hanrag-ablation", "without-relevance")).toBeLessThan(
    callsOf("hanrag-ablation", "hanrag"),
  );
  expect(callsOf("hanrag-ablation", "hanrag")).toBeGreaterThan(3 * 44);
});

test("--dry-run says that the rehearsal LM stands behind its figures, and sums no missing data", async () => {
  vi.stubEnv("ESPALIER_RECORDED_DIR", "");
  const baselines = join(repository, "optimizers/experiments/mtrag-baselines.ts");
  const { stdout } = await runMain(["experiment", baselines, "--dry-run"]);
  expect(stdout).toContain("Estimated with the rehearsal LM");
  expect(stdout).toContain("| last-turn | 225 | 0 | 0 | 0 | no prices | no rate |");
  const text = dryRunText({
    file: "table.ts",
    name: "table",
    title: "A table",
    split: "test",
    ratePerMinute: 600,
    rows: [{ row: "one", notRun: "DATA is not set" }],
  });
  expect(text).toContain("| all rows | unknown: no row can run |");
  expect(text).not.toMatch(/\| 0|Hours/);
  const known = { metricCalls: 2, calls: 3, promptTokens: 4, completionTokens: 5 };
  const partly = dryRunText({
    file: "table.ts",
    name: "table",
    title: "A table",
    split: "test",
    ratePerMinute: null,
    rows: [
      { row: "one", notRun: "DATA is not set" },
      { row: "two", basis: "prompts", examples: 2, ...known, usd: null, hours: null },
    ],
  });
  expect(partly).toContain("| the 1 row that can run | 2 | 3 | 4 | 5 |");
});

test("--dry-run --rehearsal estimates an experiment of one's own by its runs, near what it takes", async () => {
  const network = vi.spyOn(globalThis, "fetch");
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const [estimated] = await dry(experiment, "--rehearsal");
  expect(network).not.toHaveBeenCalled();
  await runMain(["experiment", experiment, "--rehearsal", "--run", run]);
  const { rows } = await tableIn(run);
  for (const [index, { costs }] of rows.entries()) {
    const { calls = NaN, promptTokens = NaN, basis } = estimated?.rows[index] ?? {};
    expect(basis).toBe("rehearsal");
    expect(Math.abs(calls / costs.lmCalls - 1)).toBeLessThan(0.2);
    expect(Math.abs(promptTokens / costs.promptTokens - 1)).toBeLessThan(0.2);
  }
});

test("--dry-run of recorded outputs counts no call, and the runs of a search over them", async () => {
  await using folder = await temporaryFolder();
  const { mtrag, recorded } = await writeRecordedTasks(folder.path, () => "right");
  await writeFile(
    join(mtrag, "splits.json"),
    JSON.stringify({
      train: ["clapnq-talk"],
      dev: ["fiqa-talk"],
      test: ["govt-talk", "cloud-talk"],
    }),
  );
  vi.stubEnv("ESPALIER_MTRAG_DIR", mtrag);
  vi.stubEnv("ESPALIER_RECORDED_DIR", recorded);
  const file = resolve("optimizers/experiments/recorded-fusion.ts");
  const words = ["experiment", file, "--dry-run", "--json", "--rate", "600"];
  const { code, stdout } = await runMain(words, { cwd: folder.path });
  expect(code).toBe(0);
  const rows = (JSON.parse(stdout) as Dry).experiments[0]?.rows ?? [];
  for (const { calls, promptTokens, completionTokens, hours } of rows) {
    expect([calls, promptTokens, completionTokens, hours]).toEqual([0, 0, 0, 0]);
  }
  // Four turns of test; the search scores its own numbers and 40 others on two turns of val.
  const metricCalls = Object.fromEntries(rows.map((row) => [row.row, row.metricCalls]));
  expect(metricCalls).toMatchObject({ "one-level": 4, "searched-numbers": 4 + 41 * 2 });
});

test("--dry-run asks nothing, and estimates what a run is then measured to take", async () => {
  const network = vi.spyOn(globalThis, "fetch");
  await using folder = await temporaryFolder();
  const prices = join(folder.path, "prices.json");
  const price = { promptUsdPerMillion: 3, completionUsdPerMillion: 5 };
  await writeFile(prices, JSON.stringify({ student: price }));
  const [estimated] = await dry(experiment, "--prices", prices);
  expect(network).not.toHaveBeenCalled();
  const [row] = estimated?.rows ?? [];
  expect(row?.hours).toBeNull();
  expect(row?.usd).toBeCloseTo(
    (3 * (row?.promptTokens ?? NaN) + 5 * (row?.completionTokens ?? NaN)) / 1e6,
    9,
  );
  // Two predictors for each of 40 examples; the second is not always asked.
  expect(row).toMatchObject({ metricCalls: 40, calls: 80 });
  const run = join(folder.path, "run");
  await runMain(["experiment", experiment, "--sample", "10", "--run", run]);
  const { rows: sampled } = await tableIn(run);
  const [measured] = await dry(experiment, "--measured", run);
  for (const [index, { costs }] of sampled.entries()) {
    const scaled = measured?.rows[index];
    expect(scaled?.calls).toBe(Math.round(4 * costs.lmCalls));
    expect(scaled?.promptTokens).toBe(Math.round(4 * costs.promptTokens));
    expect(scaled?.hours).toBeCloseTo((4 * costs.seconds) / 3600, 9);
  }
});

test("--dry-run counts the runs of an optimization, by its own budget or the tighter one given", async () => {
  const places = resolve("test/cli/fixtures/place-experiment.ts");
  const [own] = await dry(places);
  expect(own?.rows.map(({ metricCalls }) => metricCalls)).toEqual([20, 80, 20]);
  const [given] = await dry(places, "--budget", "40");
  expect(given?.rows.map(({ metricCalls }) => metricCalls)).toEqual([20, 60, 20]);
  const { stdout } = await runMain(["experiment", places, "--dry-run"]);
  expect(stdout).toContain("| row | metric calls | LM calls | prompt tokens |");
  expect(stdout).toContain("Hours: --rate N");
});
