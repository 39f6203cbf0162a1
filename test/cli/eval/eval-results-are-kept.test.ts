import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { gateClock } from "../../support/gate-clock.ts";
import { startCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const towns = "test/cli/fixtures/towns.ts";

interface Saved {
  evaluation: {
    metric: { name: string };
    rows: { exampleId: string }[];
    [figure: string]: unknown;
  };
  [key: string]: unknown;
}

describe("before anything is spent, espalier eval", () => {
  it("refuses a baseline of another metric, and one of other examples", async () => {
    await using server = await serveRehearsal();
    await using folder = await temporaryFolder();
    const path = join(folder.path, "seed.json");
    await runMain(["eval", towns, "--limit", "2", "--out", path]);
    const saved = JSON.parse(await readFile(path, "utf8")) as Saved;
    const args = ["eval", towns, "--lm", `${server.url}/v1`, "--cache", "none", "--baseline", path];

    const { evaluation } = saved;
    const metric = { ...evaluation.metric, name: "recall" };
    await writeFile(path, JSON.stringify({ ...saved, evaluation: { ...evaluation, metric } }));
    const otherMetric = await runMain(args);
    expect(otherMetric).toMatchObject({ code: 2, stdout: "" });
    expect(otherMetric.stderr).toContain("The baseline was scored by another metric");

    const rows = evaluation.rows.map((row) => ({ ...row, exampleId: `not-${row.exampleId}` }));
    await writeFile(path, JSON.stringify({ ...saved, evaluation: { ...evaluation, rows } }));
    const otherExamples = await runMain(args);
    expect(otherExamples).toMatchObject({ code: 2, stdout: "" });
    expect(otherExamples.stderr).toContain("The baseline has no scores for these examples");
    expect(server.calls().byEndpoint["POST /v1/chat/completions"]?.received ?? 0).toBe(0);
  });

  it("refuses a place that cannot be written", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "file");
    await writeFile(file, "");
    await mkdir(join(folder.path, "folder.json"));
    for (const place of [
      ["--out", join(file, "result.json")],
      ["--out", folder.path],
      ["--out", "/dev/null"],
      ["--artifact", join(folder.path, "folder.json")],
      ["--artifact", join(file, "artifact.json")],
    ]) {
      const { code, stdout, stderr } = await runMain(["eval", towns, ...place]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^espalier: usage-invalid: --(out|artifact) n/);
    }
  });
});

describe("a result of espalier eval", () => {
  it("is written to a folder that was not there, with nothing else beside it", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "deep", "deeper", "result.json");
    expect((await runMain(["eval", towns, "--limit", "2", "--out", path])).code).toBe(0);
    expect(await readdir(join(path, ".."))).toEqual(["result.json"]);
  });

  it("is not written after Ctrl-C, which says how far the evaluation came", async () => {
    await using server = await serveRehearsal({ latencyMs: 1, clock: gateClock(12) });
    await using folder = await temporaryFolder();
    const path = join(folder.path, "stopped.json");
    const lm = ["--lm", `${server.url}/v1`, "--cache", "none", "--concurrency", "2"];
    const running = startCli(["eval", towns, ...lm, "--out", path]);
    await running.saw("towns on val: 4/40");
    running.interrupt();
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/Stopped after \d+ of 40 examples; \d+ LM calls/);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("says what besides the program differs from the baseline", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "seed.json");
    await runMain(["eval", towns, "--out", path]);
    const same = await runMain(["eval", towns, "--baseline", path]);
    expect(same.stdout).toContain("as good as the baseline on every example");
    expect(same.stdout).not.toContain("The baseline used");

    await using server = await serveRehearsal();
    const lm = ["--lm", `${server.url}/v1`, "--cache", "none"];
    const other = await runMain(["eval", towns, ...lm, "--seed", "1", "--baseline", path]);
    expect(other.stdout).toContain(
      "The baseline used LM rehearsal instead of LM rehearsal (vllm); seed 0 instead of seed 1.",
    );
  });

  it.each([
    "lm",
    "ledger",
    "evaluation.program",
    "evaluation.value",
    "evaluation.interval",
    "evaluation.counts",
    "evaluation.coverage",
    "evaluation.objectives",
    "evaluation.rows",
    "evaluation.seconds",
  ])("without %s is malformed, and says so", async (figure) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "result.json");
    const saved = structuredClone(example);
    const name = figure.replace("evaluation.", "");
    if (name === figure) delete saved[name];
    else delete saved.evaluation[name];
    await writeFile(path, JSON.stringify(saved));
    const { code, stdout, stderr } = await runMain(["show", path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("file-malformed: The file is not a result of `espalier eval --out`");
    expect(stderr).toContain(`Got: ${figure}: `);
  });
});

const example = await (async (): Promise<Saved> => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "result.json");
  await runMain(["eval", towns, "--limit", "2", "--out", path]);
  return JSON.parse(await readFile(path, "utf8")) as Saved;
})();

describe("the reply cache", () => {
  it("does not answer for another server, even with a model of the same name", async () => {
    await using one = await serveRehearsal();
    await using other = await serveRehearsal();
    await using folder = await temporaryFolder();
    const cache = ["--cache", join(folder.path, "cache.sqlite")];
    const args = (url: string) => ["eval", towns, "--limit", "2", "--lm", `${url}/v1`, ...cache];
    const received = (server: typeof one) =>
      server.calls().byEndpoint["POST /v1/chat/completions"]?.received ?? 0;
    await runMain(args(one.url));
    const { stdout } = await runMain(args(other.url));
    expect(received(other)).toBe(received(one));
    expect(received(one)).toBeGreaterThan(0);
    expect(stdout).toContain("LM rehearsal (vllm)");
    await runMain(args(one.url));
    expect(received(one)).toBe(received(other));
  });
});
