import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { gateClock } from "../../support/gate-clock.ts";
import { startCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const towns = "test/cli/fixtures/towns-elsewhere.ts";
const onQuestionnaires = ["eval", towns, "--rehearsal", "--trainset", "questionnaires"];

interface Saved {
  readonly trainset: { readonly name: string };
  readonly drawn: object;
  readonly evaluation: {
    readonly rows: readonly { readonly exampleId: string; readonly cluster: string }[];
  };
}

async function evaluated(...options: string[]) {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "result.json");
  const { code, stdout, stderr } = await runMain([...onQuestionnaires, ...options, "--out", out]);
  expect({ code, error: stderr.includes("espalier:") }).toEqual({ code: 0, error: false });
  return { stdout, saved: JSON.parse(await readFile(out, "utf8")) as Saved };
}

describe("espalier eval --trainset", () => {
  it("evaluates the variant's program on the variant's examples, and names them", async () => {
    const { stdout, saved } = await evaluated();
    expect(stdout).toMatch(
      / on val of questionnaires, 40 examples in 10 clusters \(groups of related examples\)\n/,
    );
    expect(saved).toMatchObject({
      trainset: { name: "questionnaires" },
      drawn: { rule: "all", of: 40 },
    });
  });

  it("refuses a variant that the study lacks, and names those that it has", async () => {
    const { code, stderr } = await runMain(["eval", towns, "--trainset", "moon"]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'The study "towns" has no variant "moon" (at --trainset). Expected: towns, questionnaires.',
    );
    const inherited = await runMain(["eval", towns, "--trainset", "toString"]);
    expect(inherited.stderr).toContain('no variant "toString"');
  });
});

describe("espalier eval --sample", () => {
  it("draws whole clusters by the seed, each stratum in proportion, and says so", async () => {
    const { stdout, saved } = await evaluated("--sample", "20", "--seed", "7");
    expect(stdout).toMatch(
      / on val of questionnaires, 20 of 40 examples \(drawn by cluster in proportion to collection, seed 7\) in 5 clusters \(groups of related examples\)\n/,
    );
    expect(saved.drawn).toEqual({ rule: "sample", of: 40, seed: 7, strata: ["collection"] });
    const sizes = Map.groupBy(saved.evaluation.rows, ({ cluster }) => cluster);
    expect([...sizes.values()].map((rows) => rows.length)).toEqual([4, 4, 4, 4, 4]);
    const coasts = [...sizes.keys()].filter((name) => /-[05]$/.test(name));
    expect(coasts).toHaveLength(1);
    const other = await evaluated("--sample", "20", "--seed", "8");
    expect(other.saved.evaluation.rows).not.toEqual(saved.evaluation.rows);
  });

  it("says that --limit took the first, and refuses both", async () => {
    const { stdout } = await evaluated("--limit", "6");
    expect(stdout).toContain("6 of 40 examples (the first of the split) in 2 clusters");
    const both = await runMain([...onQuestionnaires, "--limit", "6", "--sample", "6"]);
    expect(both).toMatchObject({ code: 2, stdout: "" });
    expect(both.stderr).toContain("--limit and --sample cannot be combined");
  });

  it("says in a baseline's differences that other examples were drawn", async () => {
    await using folder = await temporaryFolder();
    const out = join(folder.path, "whole.json");
    await runMain([...onQuestionnaires, "--out", out]);
    const { stdout } = await runMain([...onQuestionnaires, "--sample", "8", "--baseline", out]);
    expect(stdout).toContain(
      "The baseline used the whole split instead of 8 examples (drawn by cluster in proportion to collection, seed 0).",
    );
  });

  it("says what the sample was when it is stopped", async () => {
    const clock = gateClock(12);
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    const slowly = ["--lm", `${server.url}/v1`, "--cache", "none", "--concurrency", "2"];
    const running = startCli([...onQuestionnaires, "--sample", "20", ...slowly]);
    await clock.holds;
    running.interrupt();
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /Stopped after \d+ of 20 examples \(of 40 in val, drawn by cluster in proportion to collection, seed 0\);/,
    );
  });
});

describe("--trainset", () => {
  it("chooses the program that run and show take, also for an artifact", async () => {
    await using folder = await temporaryFolder();
    const artifact = join(folder.path, "artifact.json");
    const made = await runMain([...onQuestionnaires, "--limit", "4", "--artifact", artifact]);
    expect(made.code).toBe(0);
    const input = JSON.stringify({ question: "Where is it?", passages: [] });
    const prompt = ["--predictor", "answer", "--input", input];
    const shown = await runMain(["show", towns, "--trainset", "questionnaires", ...prompt]);
    expect(shown.stdout).toContain("Quote the sentence that answers.");
    expect((await runMain(["show", towns, ...prompt])).stdout).not.toContain("Quote the sentence");
    const described = await runMain(["show", towns, "--trainset", "questionnaires"]);
    expect(described.stdout).toContain("trainset questionnaires 1 (CC0-1.0): 0 train, 40 val");
    expect((await runMain(["show", towns])).stdout).toContain(
      "other trainsets, by --trainset: questionnaires",
    );
    const variant = ["--trainset", "questionnaires", "--input", input, "--rehearsal"];
    for (const subject of [[towns], [artifact, "--study", towns]]) {
      const { code, stdout } = await runMain(["run", ...subject, ...variant]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toHaveProperty("answer");
    }
    const onTheMoon = ["--study", towns, "--input", input, "--trainset", "moon"];
    const missing = await runMain(["run", artifact, ...onTheMoon]);
    expect(missing.stderr).toContain('has no variant "moon"');
  });
});
