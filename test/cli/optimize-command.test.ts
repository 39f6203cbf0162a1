import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OptimizerPlan } from "espalier/optimizer";
import { readRun } from "espalier/optimizer";
import { serveRehearsal } from "espalier/rehearsal";
import { runCli, startCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const places = "test/cli/fixtures/places.ts";

interface LastLine {
  readonly artifact: string;
  readonly test: {
    readonly seed: number;
    readonly optimized: number;
    readonly difference: { readonly mean: number; readonly low: number; readonly high: number };
  };
  readonly ledger: { readonly total: { readonly billed: { readonly calls: number } } };
}

interface Spending {
  readonly reason: string;
  readonly spent: Readonly<
    Record<"metricCalls" | "reflectionCalls" | "lmCalls" | "tokens", number>
  >;
  readonly costUsd: number;
  readonly seconds: number;
}

describe("espalier optimize", () => {
  it("optimizes, reports on test with intervals and verdict, and writes an artifact that runs", async () => {
    await using folder = await temporaryFolder();
    const out = join(folder.path, "places.json");
    const run = join(folder.path, "run");
    const options = ["--budget", "80", "--run", run, "--out", out, "--json"];
    const { code, stdout, stderr } = await runCli(["optimize", places, ...options]);
    expect({ code, stderr }).toMatchObject({ code: 0 });

    const lines = stdout.trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "") as LastLine;
    expect(last).toMatchObject({
      program: "finder",
      trainset: "places",
      lm: { provider: "rehearsal", model: "rehearsal" },
      rehearsal: true,
      artifact: out,
      test: { metric: "found-place", verdict: "better", examples: 20, clusters: 20 },
    });
    const { seed, optimized, difference } = last.test;
    expect(difference.mean).toBeCloseTo(optimized - seed, 12);
    expect(difference.low).toBeGreaterThan(0);
    expect(difference.high).toBeGreaterThanOrEqual(difference.mean);
    for (const figure of ["found-place", "broad", "narrow"]) {
      expect(stdout).toMatch(new RegExp(`^${figure}  seed +\\d[.]\\d{4}  \\[`, "m"));
    }
    expect(stdout).toContain("better than the seed");
    expect(stdout).toContain("rehearsal: figures");
    expect(stderr).toContain("metric calls: ");

    const shown = await runCli(["show", out]);
    expect(shown.code).toBe(0);
    const input = JSON.stringify({
      question: "When was it founded?",
      history: "user: The Vel mill?",
    });
    const ran = await runCli(["run", out, "--input", input]);
    expect(ran).toMatchObject({ code: 0 });
  });

  it("only plans with --plan", async () => {
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const { code, stdout, stderr } = await runCli([
      "optimize",
      places,
      "--budget",
      "60",
      "--plan",
      "--run",
      run,
      "--json",
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatchInlineSnapshot(`
      "plan: 14 metric calls for the seed, then 1 or more for a proposal that is refused and up to 17 for one that is accepted
      proposals: at least 2, about 2 (an estimate: half are accepted, no score is inherited), at most 18
      evaluations on all of val: at most 3, the seed's included
      calls, an estimate: 120 of the program's LM, 4 of the reflection LM
      tokens, an estimate from the prompts of a few examples: program 46320 prompt and 30720 completion (at most 491520); reflection 11800 prompt and 2048 completion (at most 32768)
      outside the budget: seed and result on the 20 examples of test
        about 80 calls, 30880 prompt and 20480 completion (at most 327680)
      warning: A budget of 60 metric calls may allow no more than 2 proposals: the seed's evaluation takes 14, 12 runs on train come first, each accepted proposal up to 17. Give 77 or more.
      "
    `);
    expect(JSON.parse(stdout)).toMatchObject({ plan: { seedEvaluation: 14 } });
    expect(existsSync(run)).toBe(false);
  });

  it("forecasts money by the price table that it is given", async () => {
    await using folder = await temporaryFolder();
    const prices = join(folder.path, "prices.json");
    const price = { promptUsdPerMillion: 100, completionUsdPerMillion: 400 };
    await writeFile(prices, JSON.stringify({ student: price, reflection: price }));
    const plan = ["optimize", places, "--budget", "120", "--plan", "--prices", prices];
    const { stderr } = await runCli(plan);
    expect(stderr).toMatch(/^money, an estimate: about \d+\.\d\d US dollars, \d+\.\d\d if every/m);
  });

  it.each([
    ["is no JSON", "student: 1", "The price file is not JSON"],
    [
      "has a word for a number",
      '{"student":{"promptUsdPerMillion":"1","completionUsdPerMillion":1}}',
      'student.promptUsdPerMillion: Invalid input: expected number, received string (at PRICES). Expected: { "student": ',
    ],
    [
      "lacks a number",
      '{"student":{"promptUsdPerMillion":1}}',
      "student.completionUsdPerMillion: Invalid input",
    ],
  ])("refuses a price file that %s, and says what one holds", async (_, content, problem) => {
    await using folder = await temporaryFolder();
    const prices = join(folder.path, "prices.json");
    await writeFile(prices, content);
    const plan = ["optimize", places, "--budget", "120", "--plan", "--prices", prices];
    const { code, stderr } = await runCli(plan);
    expect(code).toBe(2);
    expect(stderr.replaceAll(prices, "PRICES")).toContain(problem);
    expect(stderr).toContain('Expected: { "student": { "promptUsdPerMillion": 1');
    expect(stderr).toMatch(/ Got: .+ Give US dollars per million tokens/);
  });

  it("forecasts by caps on tokens and money, prices test, and says that time is not in it", async () => {
    await using folder = await temporaryFolder();
    const prices = join(folder.path, "prices.json");
    const price = { promptUsdPerMillion: 100, completionUsdPerMillion: 400 };
    await writeFile(prices, JSON.stringify({ student: price, reflection: price }));
    const planned = async (...options: readonly string[]) => {
      const { stderr, stdout } = await runCli(["optimize", places, "--plan", "--json", ...options]);
      return { stderr, ...(JSON.parse(stdout) as { readonly plan: OptimizerPlan }) };
    };
    const generous = await planned("--budget", "120", "--max-tokens", "10000000");
    expect(generous.plan.afforded).toBeUndefined();
    expect(generous.plan.warnings).toEqual([]);
    const { promptTokens = 0, completionTokens } = generous.plan.perRollout ?? {};
    const perCall = promptTokens + (completionTokens?.typical ?? 0);

    const tokens = await planned("--budget", "120", "--max-tokens", "60000");
    const { afforded } = tokens.plan;
    expect(afforded).toMatchObject({ cap: "tokens", limit: 60_000 });
    expect(afforded?.metricCalls).toBeLessThanOrEqual(60_000 / perCall);
    expect(afforded?.metricCalls).toBeGreaterThan((0.8 * 60_000) / perCall);
    expect(tokens.plan.proposals?.least).toBeLessThan(3);
    expect(tokens.stderr).toMatch(/^warning: .* more[.] [(]A cap of 60000 tokens is about \d+/m);

    const money = await planned("--max-usd", "9", "--prices", prices, "--max-minutes", "5");
    const usd = (promptTokens * 100 + (completionTokens?.typical ?? 0) * 400) / 1e6;
    expect(money.plan.perRollout?.usd?.typical).toBeCloseTo(usd, 12);
    expect(money.plan.costs?.usd?.typical).toBeLessThanOrEqual(9);
    expect(money.plan.costs?.usd?.typical).toBeGreaterThan(7);
    expect(money.stderr).toContain("the cap of 9 US dollars is the tightest: about ");
    expect(money.stderr).toContain("the cap of 5 minutes is not in this plan");
    // Seed and result, 20 examples each, two calls an example.
    expect(money.stderr).toContain(
      `  about 80 calls, ${40 * promptTokens} prompt and ${40 * 512} completion (at most `,
    );
    expect(money.stderr).toContain(`, ${(40 * usd).toFixed(2)} US dollars (at most `);
  });

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
      "--max-tokens",
      "150000",
      "--max-usd",
      "2.5",
      "--max-minutes",
      "10",
    ];
    const run = join(folder.path, "run");
    const { code, stdout } = await runCli([
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
    ["reflections", ["--max-reflections", "2"], ({ spent }) => [spent.reflectionCalls, 2]],
    ["LM calls", ["--max-lm-calls", "90"], ({ spent }) => [spent.lmCalls, 90]],
    ["tokens", ["--max-tokens", "60000"], ({ spent }) => [spent.tokens, 60_000]],
    ["money", ["--max-usd", "0.05"], ({ costUsd }) => [costUsd, 0.05]],
  ])("ends at a cap on %s, having kept it", async (_, cap, figures) => {
    await using folder = await temporaryFolder();
    const prices = join(folder.path, "prices.json");
    const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
    await writeFile(prices, JSON.stringify({ student: price, reflection: price }));
    const run = ["--run", join(folder.path, "run"), "--prices", prices, "--json"];
    const { code, stdout, stderr } = await runCli(["optimize", places, ...cap, ...run]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Spending;
    expect(last.reason).toBe("budget");
    const [spent, limit] = figures(last);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(limit);
  });

  it("ends at a cap on minutes, and not before", async () => {
    await using server = await serveRehearsal({ latencyMs: 300 });
    await using folder = await temporaryFolder();
    const run = ["--run", join(folder.path, "run"), "--json", "--cache", "none"];
    const lm = ["--lm", `${server.url}/v1`, "--max-minutes", "0.1"];
    const { code, stdout, stderr } = await runCli(["optimize", places, ...lm, ...run]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Spending;
    expect(last.reason).toBe("budget");
    expect(last.seconds).toBeGreaterThanOrEqual(6);
  });

  it("ends on Ctrl-C with exit code 130 and says how to go on, which it then does", async () => {
    await using server = await serveRehearsal({ latencyMs: 10 });
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const lm = ["--lm", `${server.url}/v1`, "--cache", "none", "--json"];
    const running = startCli(["optimize", places, "--budget", "80", ...lm, "--run", run]);
    await running.saw("candidate 1");
    running.interrupt();
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    const command = /^Go on with it: espalier (.*)$/m.exec(stderr)?.[1] ?? "";
    expect(command).toBe(["optimize", places, "--budget", "80", ...lm, "--resume", run].join(" "));

    const before = server.calls().total;
    const resumed = await runCli(command.split(" "));
    expect(resumed.code).toBe(0);
    const last = JSON.parse(resumed.stdout.trimEnd().split("\n").at(-1) ?? "") as LastLine;
    const { compiled } = JSON.parse(await readFile(last.artifact, "utf8")) as { compiled: object };

    const undisturbed = join(folder.path, "undisturbed");
    await runCli(["optimize", places, "--budget", "80", ...lm, "--run", undisturbed]);
    const expected = JSON.parse(await readFile(join(undisturbed, "artifact.json"), "utf8")) as {
      compiled: object;
    };
    expect(compiled).toEqual(expected.compiled);
    expect(server.calls().total).toBeGreaterThan(before);
  });

  it.each<[string, readonly string[], number]>([
    ["no budget", [places], 2],
    ["a budget smaller than one evaluation", [places, "--budget", "5"], 4],
    ["a cap that is none", [places, "--max-usd", "0"], 2],
    ["money without prices", [places, "--max-usd", "1"], 2],
    ["a choice that cannot be read", [places, "--budget", "50", "--choose", "cheapest"], 2],
    ["a budget that is no number", [places, "--budget", "much"], 2],
    ["a trainset without a test split", ["test/cli/fixtures/towns.ts", "--budget", "500"], 2],
    ["an unknown variant", [places, "--budget", "50", "--trainset", "moon"], 2],
    ["a run that does not exist", [places, "--budget", "50", "--resume", "nowhere"], 2],
    ["an artifact that is no .json file", [places, "--budget", "50", "--out", "artifact"], 2],
  ])("refuses %s", async (_, args, expected) => {
    const { code, stdout, stderr } = await runCli(["optimize", ...args]);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(stderr.split("\n").filter((line) => line.startsWith("espalier:"))).toMatchSnapshot();
    expect(existsSync("nowhere")).toBe(false);
  });
});
