import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readArtifact } from "espalier/artifact";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const study = "test/cli/fixtures/small-notes-guided.ts";
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const run = join(folder.path, "run");
const { code, stdout, stderr } = await runMain(["optimize", study, "--run", run, "--json"]);
if (code !== 0) throw new Error(stderr);
const lines = stdout.trimEnd().split("\n");

interface Figure {
  readonly metric: string;
  readonly seed: number;
  readonly optimized: number;
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number };
  readonly intervals: Readonly<Record<"seed" | "optimized", { low: number; high: number }>>;
  readonly verdict: string;
}

interface LastLine {
  readonly artifact: string;
  readonly test: Figure & { readonly objectives: readonly Figure[] };
  readonly ledger: {
    readonly total: Counts;
    readonly byRole: Readonly<Record<"student" | "reflection", Counts>>;
  };
}

type Counts = Readonly<Record<"logical" | "billed", { readonly calls: number }>>;

const last = JSON.parse(lines.at(-1) ?? "") as LastLine;

describe("the last line of espalier optimize --json on notes-guided", () => {
  test("has the keys that are promised, each with what it says", () => {
    expect(last).toMatchObject({
      program: "notes-guided-retrieval",
      trainset: "four-shelves-follow-ups",
      lm: { provider: "rehearsal", model: "rehearsal" },
      rehearsal: true,
      artifact: join(run, "artifact.json"),
    });
    const number = expect.any(Number) as number;
    expect(last.test).toMatchObject({ metric: "recall_10", seed: number, optimized: number });
    expect(last.test.difference).toEqual({ mean: number, low: number, high: number });
    const { seed, optimized, difference } = last.test;
    expect(difference.mean).toBeCloseTo(optimized - seed, 12);
    expect(difference.low).toBeLessThanOrEqual(difference.mean);
    expect(difference.high).toBeGreaterThanOrEqual(difference.mean);
    expect(last.test.objectives.map(({ metric }) => metric)).toEqual(["ndcg_cut_5"]);
    const { total, byRole } = last.ledger;
    expect(byRole.student.billed.calls).toBeGreaterThan(100);
    expect(byRole.reflection.billed.calls).toBeGreaterThan(0);
    for (const kind of ["logical", "billed"] as const) {
      expect(total[kind].calls).toBe(byRole.student[kind].calls + byRole.reflection[kind].calls);
    }
  });

  test("says of the seed and of the artifact what espalier eval says of them", async () => {
    const candidate = join(folder.path, "candidate.json");
    const { compiled } = await readArtifact(last.artifact);
    await writeFile(candidate, JSON.stringify(compiled.components));
    const valueOf = async (...options: readonly string[]) => {
      const evaluated = await runMain(["eval", study, "--split", "test", "--json", ...options]);
      const line = evaluated.stdout.trimEnd().split("\n").at(-1) ?? "";
      return (JSON.parse(line) as { readonly value: number }).value;
    };
    expect(await valueOf()).toBe(last.test.seed);
    expect(await valueOf("--candidate", candidate)).toBe(last.test.optimized);
    expect(compiled.scores).toMatchObject([
      { metric: { name: "recall_10" }, split: "test", value: last.test.optimized },
    ]);
  });
});

describe("the report of espalier optimize on notes-guided", () => {
  test("shows both figures before and after, each difference with its interval", () => {
    for (const { metric, seed, optimized, difference } of [last.test, ...last.test.objectives]) {
      const line = lines.find((one) => one.startsWith(`${metric} `)) ?? "";
      const sign = difference.mean < 0 ? "" : "+";
      const { mean, low, high } = difference;
      expect(line.split(/ {2,}/).slice(1, 5)).toEqual([
        seed.toFixed(4),
        optimized.toFixed(4),
        `${sign}${mean.toFixed(4)}`,
        expect.stringContaining(`[${low.toFixed(4)}, ${high.toFixed(4)}] 95 %, p = `),
      ]);
    }
  });

  test("says of the test split what it is, gives the paired verdict, and is labelled", () => {
    expect(stdout).toContain("test, held out from every decision: 20 examples");
    const verdicts = { better: "a gain", worse: "a loss", undecided: "no gain is shown" };
    const verdict = verdicts[last.test.verdict as keyof typeof verdicts];
    expect(lines[1]?.startsWith(`verdict: ${verdict}`)).toBe(true);
    expect(stdout).toMatch(/^rehearsal: figures from the rehearsal LM .* nothing about a real/m);
    expect(lines).toContain(`artifact ${last.artifact}`);
  });
});
