import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readRun } from "espalier/optimizer";
import { serveRehearsal } from "@espalier/rehearsal";
import { gateClock } from "../../support/gate-clock.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const places = "test/cli/fixtures/places.ts";
/** The same search, with a short report. */
const fewPlaces = "test/cli/fixtures/few-places.ts";

interface Spending {
  readonly reason: string;
  readonly spent: Readonly<
    Record<"metricCalls" | "reflectionCalls" | "lmCalls" | "tokens", number>
  >;
  readonly costUsd: number;
  readonly seconds: number;
}

describe("the caps of espalier optimize", () => {
  it("begins the run with every cap that the command line names", async () => {
    await using folder = await temporaryFolder();
    const prices = join(folder.path, "prices.json");
    const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
    await writeFile(prices, JSON.stringify({ student: price, reflection: price }));
    const caps = [
      "--budget",
      "90",
      "--max-reflections",
      "5",
      "--max-lm-calls",
      "200",
      "--max-tool-calls",
      "70",
      "--max-tokens",
      "150000",
      "--max-usd",
      "2.5",
      "--max-minutes",
      "10",
    ];
    const run = join(folder.path, "run");
    const { code, stdout } = await runMain([
      "optimize",
      places,
      ...caps,
      "--prices",
      prices,
      "--run",
      run,
      "--repeats",
      "2",
      "--measure-latency",
      "--json",
    ]);
    expect(code).toBe(0);
    expect(readRun(run).run["budget"]).toEqual({
      metricCalls: 90,
      reflectionCalls: 5,
      lmCalls: 200,
      toolCalls: 70,
      tokens: 150_000,
      costUsd: 2.5,
      wallTimeMs: 600_000,
    });
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as {
      readonly spent: { readonly reflectionCalls: number; readonly metricCalls: number };
      readonly costUsd: number;
      readonly test: { readonly repeats: number; readonly examples: number };
    };
    expect(last.spent.reflectionCalls).toBeLessThanOrEqual(5);
    expect(last.spent.metricCalls).toBeLessThanOrEqual(90);
    expect(last.costUsd).toBeGreaterThan(0);
    const { front, candidates } = readRun(run);
    expect(front.length).toBeGreaterThan(0);
    expect(candidates[0]?.selection.costs?.latencyMs).toBeGreaterThanOrEqual(0);
    expect(last.test).toMatchObject({ repeats: 2, examples: 20 });
  });

  it.each<[string, readonly string[], (last: Spending) => readonly [spent: number, cap: number]]>([
    ["metric calls", ["--budget", "60"], ({ spent }) => [spent.metricCalls, 60]],
    [
      "reflections",
      ["--optimizer", "gepa", "--max-reflections", "2"],
      ({ spent }) => [spent.reflectionCalls, 2],
    ],
    ["LM calls", ["--max-lm-calls", "90"], ({ spent }) => [spent.lmCalls, 90]],
    ["tokens", ["--max-tokens", "60000"], ({ spent }) => [spent.tokens, 60_000]],
    ["money", ["--max-usd", "0.05"], ({ costUsd }) => [costUsd, 0.05]],
  ])("ends at a cap on %s, having kept it", async (_, cap, figures) => {
    await using folder = await temporaryFolder();
    const prices = join(folder.path, "prices.json");
    const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
    await writeFile(prices, JSON.stringify({ student: price, reflection: price }));
    const run = ["--run", join(folder.path, "run"), "--prices", prices, "--json"];
    const { code, stdout, stderr } = await runMain(["optimize", fewPlaces, ...cap, ...run]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Spending;
    expect(last.reason).toBe("budget");
    const [spent, limit] = figures(last);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(limit);
  });

  it("ends at a cap on minutes, and not before", async () => {
    const clock = gateClock(60);
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    await using folder = await temporaryFolder();
    const path = join(folder.path, "run");
    const run = ["--run", path, "--json", "--cache", "none"];
    const lm = ["--lm", `${server.url}/v1`, "--max-minutes", "30"];
    // The time that the run reads passes when the test says so, while calls are held.
    vi.useFakeTimers({ toFake: ["hrtime"] });
    onTestFinished(() => void vi.useRealTimers());
    const running = runMain(["optimize", fewPlaces, ...lm, ...run]);
    await Promise.race([clock.holds, running]);
    vi.advanceTimersByTime(30 * 60_000);
    clock.release();
    const { code, stdout, stderr } = await running;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Spending;
    expect(last.reason).toBe("budget");
    expect(last.seconds).toBe(1_800);
    expect(readRun(path).end?.["detail"]).toBe("the next step could exceed `wallTimeMs`");
    expect(last.spent.metricCalls).toBeGreaterThan(0);
  });
});
