import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { Costs } from "./support.ts";
import { tableIn } from "./support.ts";

const towns = "test/cli/fixtures/town-experiment.ts";
const places = "test/cli/fixtures/place-experiment.ts";
const price = { promptUsdPerMillion: 10, completionUsdPerMillion: 20 };

async function capped(file: string, ...words: readonly string[]) {
  await using server = await serveRehearsal();
  await using folder = await temporaryFolder();
  const run = join(folder.path, "run");
  const prices = join(folder.path, "prices.json");
  await writeFile(prices, JSON.stringify({ student: price, reflection: price, judge: price }));
  const lm = ["--lm", `${server.url}/v1`, "--cache", "none", "--prices", prices];
  const result = await runMain(["experiment", file, ...lm, ...words, "--run", run]);
  const received = (): number =>
    server.calls().byEndpoint["POST /v1/chat/completions"]?.received ?? 0;
  const table = await tableIn(run);
  const sent = received();
  const resumed = async (...caps: readonly string[]) => {
    const ended = await runMain(["experiment", file, ...caps, "--resume", run]);
    return { ended, table: await tableIn(run), received: received() };
  };
  const larger = await resumed(...words.map((word) => (/^[\d.]+$/.test(word) ? "1000000" : word)));
  return { result, table, sent, larger };
}

const tokensOf = ({ promptTokens, completionTokens }: Costs): number =>
  promptTokens + completionTokens;

describe("a cap holds over all rows; the rows it left out say so, and run once it is larger", () => {
  test.each<[option: string, limit: number, spent: (costs: Costs) => number]>([
    ["--max-lm-calls", 100, ({ lmCalls }) => lmCalls],
    ["--max-tokens", 60_000, tokensOf],
    ["--max-usd", 0.6, ({ usd }) => usd ?? NaN],
    ["--budget", 60, ({ metricCalls }) => metricCalls],
  ])("%s %d", async (option, limit, spent) => {
    const { result, table, sent, larger } = await capped(towns, option, String(limit));
    expect(result.code).toBe(4);
    expect(table.rows[0]).toMatchObject({ figures: [{ metric: "token_f1" }, { metric: "words" }] });
    expect(table.rows[0]).not.toHaveProperty("notRun");
    expect(table.rows[1]?.figures).toEqual([]);
    expect(table.rows[1]?.notRun).toMatch(/budget|Budget/);
    expect(result.stdout).toContain("| terse |  | did not run: ");
    expect(result.stdout).not.toContain("undefined");
    expect(spent(table.costs)).toBeLessThanOrEqual(limit);
    expect(table.costs.lmCalls).toBe(sent);
    expect(result.stderr).toContain(" --resume ");

    expect(larger.ended.code).toBe(0);
    expect(larger.table.rows.every(({ notRun }) => notRun === undefined)).toBe(true);
    // What the first attempt received is not paid for again.
    expect(larger.received).toBe(larger.table.costs.lmCalls);
  });

  test("--max-minutes ends a row in its midst", async () => {
    const { result, table } = await capped(towns, "--max-minutes", "0.0001");
    expect(result.code).toBe(4);
    expect(table.rows.map(({ notRun = "" }) => notRun)).toEqual([
      expect.stringMatching(/wallTimeMs/),
      "the budget ran out before it",
    ]);
  });

  test("an optimization leaves room for the scores of all rows, and keeps to what is left", async () => {
    // A score takes 40 calls, and a search under its own budget about 120.
    const { result, table, sent } = await capped(places, "--max-lm-calls", "240");
    expect(result.code).toBe(0);
    expect(table.rows.every(({ notRun }) => notRun === undefined)).toBe(true);
    expect(sent).toBeLessThanOrEqual(240);
    expect(sent).toBeGreaterThan(3 * 40 + 28);
    expect(result.stdout).toMatch(/optimized: stopped at the budget \(.*`lmCalls`\)/);
  });

  test("an optimization has the metric calls that scoring leaves, to the last one", async () => {
    // Scores take 60, and the least of a search 14.
    const { result, table, larger } = await capped(places, "--budget", "62");
    expect(result.code).toBe(4);
    expect(table.rows.map(({ notRun }) => notRun !== undefined)).toEqual([false, true, true]);
    expect(table.rows[1]?.notRun).toMatch(/optimization .* at least 14/);
    expect(table.costs.metricCalls).toBe(20);
    expect(larger.ended.code).toBe(0);
    const least = await capped(places, "--budget", "74");
    expect(least.result.code).toBe(0);
    expect(least.table.costs.metricCalls).toBe(74);
    const none = await capped(places, "--budget", "60");
    expect(none.table.rows[1]?.notRun).toBe("its share of the budget has no `metricCalls`");
  });

  test("an optimization has all reflections, since scoring takes none", async () => {
    const { result, table } = await capped(places, "--max-reflections", "2");
    expect(result.code).toBe(0);
    expect(table.rows.every(({ notRun }) => notRun === undefined)).toBe(true);
    expect(result.stdout).toMatch(/optimized: stopped at the budget \(.*`reflectionCalls`\)/);
  });

  test("a row that does not fit ends the table, and runs under a larger cap", async () => {
    const { result, table, sent, larger } = await capped(places, "--max-lm-calls", "100");
    expect(result.code).toBe(4);
    expect(table.rows.map(({ notRun }) => notRun !== undefined)).toEqual([false, true, true]);
    expect(table.rows[1]?.notRun).toMatch(/optimization/);
    expect(sent).toBeLessThanOrEqual(100);
    expect(larger.ended.code).toBe(0);
    expect(larger.table.rows[0]).toEqual(table.rows[0]);
    expect(larger.table.rows[1]?.costs.metricCalls).toBeGreaterThan(20 + 28);
  });
});
