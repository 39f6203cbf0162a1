import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OptimizerPlan } from "espalier/optimizer";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const places = "test/cli/fixtures/places.ts";

describe("espalier optimize --plan", () => {
  it("only plans with --plan", async () => {
    await using folder = await temporaryFolder();
    const run = join(folder.path, "run");
    const { code, stdout, stderr } = await runMain([
      "optimize",
      places,
      "--budget",
      "130",
      "--plan",
      "--run",
      run,
      "--json",
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatchInlineSnapshot(`
      "search: mipro-v2 (version 7), because 2 texts and demonstrations of 2 steps can change
      plan: 14 metric calls for the seed program, then about 6 candidates (an estimate)
      estimated calls: 254 to the program's LM, 24 (at most 33) to the reflection LM; LM calls of judges and rerankers are extra and count toward the caps
      tokens, estimated from the prompts of a few examples: program 113538 prompt and 65024 completion (at most 1040384); reflection 125808 prompt and 12288 completion (at most 196608)
      outside the budget: the report on test runs the seed program and the result on its 20 examples
        about 80 calls, 35760 prompt and 20480 completion (at most 327680)
      "
    `);
    expect(JSON.parse(stdout)).toMatchObject({
      plan: { seedEvaluation: 14, searches: [{ name: "mipro-v2" }] },
    });
    expect(existsSync(run)).toBe(false);
  });

  it("forecasts money by the price table that it is given", async () => {
    await using folder = await temporaryFolder();
    const prices = join(folder.path, "prices.json");
    const price = { promptUsdPerMillion: 100, completionUsdPerMillion: 400 };
    await writeFile(prices, JSON.stringify({ student: price, reflection: price }));
    const plan = ["optimize", places, "--budget", "120", "--plan", "--prices", prices];
    const { stderr } = await runMain(plan);
    expect(stderr).toMatch(/^estimated cost: about \d+\.\d\d US dollars, \d+\.\d\d if every/m);
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
    const { code, stderr } = await runMain(plan);
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
      const { stderr, stdout } = await runMain([
        "optimize",
        places,
        "--optimizer",
        "gepa",
        "--plan",
        "--json",
        ...options,
      ]);
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
    expect(afforded?.metricCalls).toBeGreaterThan((0.75 * 60_000) / perCall);
    expect(tokens.plan.proposals).toBeLessThan(3);
    expect(tokens.stderr).toMatch(
      /^warning: .* 62[.] [(]Estimate: a cap of 60000 tokens allows about \d+/m,
    );

    const money = await planned("--max-usd", "9", "--prices", prices, "--max-minutes", "5");
    const usd = (promptTokens * 100 + (completionTokens?.typical ?? 0) * 400) / 1e6;
    expect(money.plan.perRollout?.usd?.typical).toBeCloseTo(usd, 12);
    expect(money.plan.costs?.usd?.typical).toBeLessThanOrEqual(9);
    // A reply of 8,192 tokens, which a text may have, must fit beside what is spent.
    expect(money.plan.afforded?.reserved).toBeGreaterThan((8192 * 400) / 1e6);
    expect(money.plan.costs?.usd?.typical).toBeGreaterThan(
      9 - (money.plan.afforded?.reserved ?? 9),
    );
    expect(money.stderr).toContain("the cap of 9 US dollars is the tightest: an estimated ");
    expect(money.stderr).toContain(
      "4.2 of it is reserved for a call with the longest allowed reply",
    );
    expect(money.stderr).toContain("the plan ignores the cap of 5 minutes");
    // Seed and result, 20 examples each, two calls an example.
    expect(money.stderr).toContain(
      `  about 80 calls, ${40 * promptTokens} prompt and ${40 * 512} completion (at most `,
    );
    expect(money.stderr).toContain(`, ${(40 * usd).toFixed(2)} US dollars (at most `);
  });
});
