import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { recordedAnswers } from "../../../trainsets/recorded/index.ts";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { sharedData } from "../../support/shared-data.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { writeRecordedTasks } from "./recorded-tasks.ts";
import { tableIn, timeless } from "./support.ts";

const folder = resolve("optimizers/experiments");
const recorded = sharedData("recorded-llm");
const mtragData = sharedData("mtrag");

afterEach(() => void vi.unstubAllEnvs());

describe("without the data", () => {
  test.each(["recorded-rewrites", "recorded-fusion", "recorded-chains", "recorded-answers"])(
    "%s is refused, and names the variable for the folder",
    async (name) => {
      vi.stubEnv("ESPALIER_RECORDED_DIR", "");
      const { code, stderr } = await runMain(["experiment", join(folder, `${name}.ts`)]);
      expect(code).not.toBe(0);
      expect(stderr).toContain("ESPALIER_RECORDED_DIR is not set");
      expect(stderr).toContain("ESPALIER_RECORDED_DIR=FOLDER");
    },
  );

  test("a folder without the file is refused by the file's name", async () => {
    await using place = await temporaryFolder();
    vi.stubEnv("ESPALIER_RECORDED_DIR", place.path);
    const { code, stderr } = await runMain(["experiment", join(folder, "recorded-chains.ts")]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/has no hotpotqa500_llama31-8b_ircot_chains\.txt/);
  });
});

describe("recorded rewrites", () => {
  async function replayed(name: string, ...words: readonly string[]) {
    await using place = await temporaryFolder();
    // Two of the five wordings in the roles of strategies find what answers.
    const { mtrag, recorded: rewrites } = await writeRecordedTasks(place.path, (wording) =>
      ["human", "sonnet4", "informative"].includes(wording) ? "right" : "wrong",
    );
    vi.stubEnv("ESPALIER_MTRAG_DIR", mtrag);
    vi.stubEnv("ESPALIER_RECORDED_DIR", rewrites);
    const file = join(folder, `${name}.ts`);
    const run = await runMain(["experiment", file, "--run", "run", ...words], { cwd: place.path });
    expect(run.code).toBe(0);
    return { ...run, table: await tableIn(join(place.path, "run")) };
  }

  test("are searched for as they are, and fused, and no server is asked", async () => {
    await using server = await modelServer("real");
    const { table } = await replayed("recorded-rewrites", "--lm", server.baseUrl);
    expect(server.requests).toEqual([]);
    const found = table.rows.map(({ name, figures }) => [name, figures[0]?.value]);
    expect(Object.fromEntries(found)).toEqual({
      "last-turn": 0,
      "human-rewrite": 1,
      mixtral: 0,
      "mixtral-targeted": 0,
      "sonnet-4": 1,
      "sonnet-4-targeted": 0,
      "dialogue-history": 0,
      aggressive: 0,
      informative: 1,
      "rewrite-then-edit": 0,
      "human-mixtral-sonnet-4": 1,
      "five-in-one-level": 1,
      "five-nested": 1,
    });
    const ndcg = (row: string) =>
      table.rows
        .find(({ name }) => name === row)
        ?.figures.find(({ metric }) => metric === "ndcg_cut_5")?.value;
    // Three of five wordings put the wrong passage first, so that the right one is second.
    expect(ndcg("five-in-one-level")).toBeCloseTo(1 / Math.log2(3), 12);
    // The three that find it count once, as the weak consensus: the right one is first.
    expect(ndcg("five-nested")).toBe(1);
    expect(table.costs).toMatchObject({ lmCalls: 0, billedCalls: 0, promptTokens: 0 });
  });

  test("are named in the table as recorded outputs, with the models", async () => {
    const { stdout, table } = await replayed("recorded-rewrites");
    const rowOf = (name: string) =>
      stdout.split("\n").find((line) => line.startsWith(`| ${name} |`));
    expect(rowOf("last-turn")).toContain("| none | 0 | 0 |");
    expect(rowOf("mixtral")).toContain("| recorded outputs of mixtral_8x7b_instruct | 0 | 0 |");
    expect(stdout).toContain("Every rewrite is a model's recorded output");
    expect(stdout).not.toMatch(/mock|rehearsal/);
    expect(table.rows.every(({ mocks }) => mocks.length === 0)).toBe(true);
  });

  test("are resumed beside rows of other models, and give the same table", async () => {
    await using place = await temporaryFolder();
    const { mtrag, recorded: rewrites } = await writeRecordedTasks(place.path, () => "right");
    vi.stubEnv("ESPALIER_MTRAG_DIR", mtrag);
    vi.stubEnv("ESPALIER_RECORDED_DIR", rewrites);
    const file = join(folder, "recorded-rewrites.ts");
    const run = join(place.path, "run");
    await runMain(["experiment", file, "--run", run], { cwd: place.path });
    const before = await tableIn(run);
    await rm(join(run, "rows", "mixtral"), { recursive: true });
    const { code } = await runMain(["experiment", file, "--resume", run], { cwd: place.path });
    expect(code).toBe(0);
    expect(timeless(await tableIn(run))).toEqual(timeless(before));
  });

  test("of other turns are refused with the turn that lacks one", async () => {
    await using place = await temporaryFolder();
    const { mtrag, recorded: rewrites } = await writeRecordedTasks(place.path, () => "right");
    const path = join(rewrites, "mtrag_query_rewrites.jsonl");
    const [, ...others] = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, others.join("\n"));
    vi.stubEnv("ESPALIER_MTRAG_DIR", mtrag);
    vi.stubEnv("ESPALIER_RECORDED_DIR", rewrites);
    const file = join(folder, "recorded-rewrites.ts");
    const { code, stderr } = await runMain(["experiment", file, "--run", "run"], {
      cwd: place.path,
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      "a rewrite of turn `clapnq-talk<::>1` by strategy `mixtral-8x7b/full_history`",
    );
  });
});

describe("recorded answers to Task C", () => {
  // Recall and nDCG by a script of a few lines that shares nothing with ours; MTRAG prints 0.52 and
  // 0.48 for ELSER with rewritten queries.
  test.skipIf(recorded.isAbsent || mtragData.isAbsent)(
    `have the figures that follow from their files, and those published beside them${recorded.note}${mtragData.note}`,
    async () => {
      vi.stubEnv("ESPALIER_MTRAG_DIR", mtragData.file);
      vi.stubEnv("ESPALIER_RECORDED_DIR", recorded.file);
      await using place = await temporaryFolder();
      const run = join(place.path, "run");
      const file = join(folder, "recorded-answers.ts");
      const { code, stdout } = await runMain(["experiment", file, "--run", run]);
      expect(code).toBe(0);
      const table = await tableIn(run);
      const [row] = table.rows;
      const valueOf = (name: string) => row?.figures.find(({ metric }) => metric === name);
      expect(valueOf("recall_5")).toMatchObject({ published: { value: 0.52 } });
      expect(valueOf("recall_5")?.value).toBeCloseTo(0.52594, 5);
      // Ties are in another order there.
      expect(valueOf("ndcg_cut_5")?.value).toBeCloseTo(0.487, 2);
      expect(row?.costs.lmCalls).toBe(0);
      expect(stdout).not.toMatch(/mock|rehearsal/);
      const types = table.breakdowns.find(({ name }) => name === "question type")?.groups ?? [];
      expect(types.map(({ group }) => group)).toHaveLength(10);
      expect(types.reduce((sum, { examples }) => sum + examples, 0)).toBeGreaterThan(842);
    },
  );

  test("of other turns are refused with the turn that lacks one", async () => {
    await using place = await temporaryFolder();
    const { mtrag, recorded: outputs } = await writeRecordedTasks(place.path, () => "right");
    vi.stubEnv("ESPALIER_MTRAG_DIR", mtrag);
    vi.stubEnv("ESPALIER_RECORDED_DIR", outputs);
    const answer = { domain: "fiqa", contexts: [["p1", 1]], prediction: "Yes." };
    const path = join(outputs, "mtrag_taskC_official_elser_top5_with_predictions.jsonl");
    await writeFile(path, JSON.stringify({ task_id: "clapnq-talk<::>1", ...answer }));
    const file = join(folder, "recorded-answers.ts");
    const { code, stderr } = await runMain(["experiment", file, "--run", "run"], {
      cwd: place.path,
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain("Turn `clapnq-talk<::>2` of MTRAG has no recorded answer");
  });
});

describe("recorded chains of IRCoT", () => {
  test.skipIf(recorded.isAbsent)(
    `have the exact match of the official script, and no LM's calls${recorded.note}`,
    async () => {
      vi.stubEnv("ESPALIER_RECORDED_DIR", recorded.file);
      await using place = await temporaryFolder();
      const run = join(place.path, "run");
      const file = join(folder, "recorded-chains.ts");
      const { code, stdout } = await runMain(["experiment", file, "--run", run]);
      expect(code).toBe(0);
      const { rows, costs } = await tableIn(run);
      const [reader] = rows;
      const { officialMetrics } = await recordedAnswers(
        sharedData("recorded-llm/hotpotqa500_llama31-8b_ircot.json").file,
      );
      expect(reader?.examples).toBe(500);
      const exact = reader?.figures.find(({ metric }) => metric === "exact_match");
      // As `npm run conformance` checks it.
      expect(exact?.value).toBeCloseTo(officialMetrics["em"] ?? NaN, 12);
      expect(exact?.published?.value).toBe(0.446);
      expect(costs.lmCalls).toBe(0);
      expect(stdout).toContain("| recorded outputs of Llama-3.1-8B | 0 | 0 |");
    },
  );
});
