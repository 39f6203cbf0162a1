import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { asked } from "../../serve/served.ts";
import { modelServer } from "../../support/model-server.ts";
import { comparisonIn } from "../../support/page-comparison.ts";
import { runMain } from "../../support/run-main.ts";
import { serveCli } from "../../support/serve-cli.ts";
import { serversFolder } from "../../support/servers-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const study = resolve("test/cli/fixtures/near-towns.ts");
const serving = resolve("test/cli/fixtures/near-towns-serving.ts");

const embedder = { part: "embedder", provider: "rehearsal", model: "rehearsal" };
const reranker = { part: "reranker", provider: "espalier", model: "lexical" };
const lm = { part: "lm", provider: "rehearsal", model: "rehearsal" };
const named = "mocks play embedder (rehearsal), reranker (lexical)";
const warning = `${named}: figures would differ with models in their place`;
const allNamed = "mocks play LM (rehearsal), embedder (rehearsal), reranker (lexical)";

const question = JSON.stringify({ question: "How long is the bridge?" });
const rows = `{"id":"q1","input":${question}}\n`;
const once = ["--cache", "none", "--patience", "0"];

/** The same for every command: a real LM, and mocks for what the program needs besides. */
const withRealLm = async () => {
  const server = await modelServer("real");
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, "rows.jsonl"), rows);
  return {
    server,
    cwd: folder.path,
    lm: ["--lm", server.baseUrl, "--rehearsal", ...once],
    read: (path: string) => readFile(join(folder.path, path), "utf8"),
    [Symbol.asyncDispose]: async () => {
      await folder[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
};

describe("mocks beside a real LM are named", () => {
  test("by eval: in its first line and its last, result, JSON line, artifact, and wherever these are shown", async () => {
    await using real = await withRealLm();
    const { cwd, read } = real;
    const files = ["--out", "result.json", "--artifact", "near.json"];
    const evaluate = ["eval", study, "--limit", "2", ...real.lm, ...files];
    const { code, lines } = await runMain(evaluate, { cwd });
    expect(code).toBe(0);
    expect(lines[0]).toBe(named);
    expect(lines.at(-1)).toBe(warning);
    expect(lines.join("\n")).toContain("LM real (vllm), with mocks, seed 0");

    const mocks = [embedder, reranker];
    expect(JSON.parse(await read("result.json"))).toMatchObject({ isRehearsal: false, mocks });
    expect(JSON.parse(await read("near.json")).run).toMatchObject({ isRehearsal: false, mocks });
    const shownArtifact = await runMain(["show", "near.json"], { cwd });
    expect(shownArtifact.lines.at(-1)).toBe(warning);
    const shownResult = await runMain(["show", "result.json"], { cwd });
    expect(shownResult.stdout).toContain("LM real (vllm), with mocks");

    const again = await runMain([...evaluate, "--baseline", "result.json", "--json"], { cwd });
    expect(again.lines.at(-2)).toBe(warning);
    expect(JSON.parse(again.lines.at(-1) ?? "")).toMatchObject({ rehearsal: false, mocks });
    expect(again.stdout).not.toContain("The baseline used");
  });

  test("as what a baseline without them lacks", async () => {
    await using real = await withRealLm();
    const { cwd } = real;
    const evaluate = ["eval", study, "--limit", "2", ...once, "--lm", real.server.baseUrl];
    const text = { url: real.server.baseUrl, model: "real" };
    const format = "espalier-servers/1";
    const file = JSON.stringify({ format, embedder: text, reranker: text });
    await writeFile(join(cwd, "parts.json"), file);
    const served = [...evaluate, "--servers", "parts.json"];
    const without = await runMain([...served, "--out", "result.json"], { cwd });
    expect(without).toMatchObject({ code: 0 });
    expect(without.stdout + without.stderr).not.toContain("mock");
    const { stdout } = await runMain([...evaluate, "--rehearsal", "--baseline", "result.json"], {
      cwd,
    });
    expect(stdout).toContain(
      "no other mocks instead of mocks for embedder (rehearsal), reranker (lexical)",
    );
  });

  test("by optimize: in its first line and after its result, JSON line, artifact, run and its page", async () => {
    await using real = await withRealLm();
    const { cwd, read } = real;
    const optimize = ["optimize", study, ...real.lm, "--run", "run", "--out", "near.json"];
    const { code, lines, stderr } = await runMain(optimize, { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(lines[0]).toBe(named);
    expect(lines).toContain(warning);
    const mocks = [embedder, reranker];
    expect(JSON.parse(await read("near.json")).run).toMatchObject({ isRehearsal: false, mocks });

    const shown = await runMain(["show", "run", "--html", "run.html"], { cwd });
    const subject = "LM real (with mocks), mocks play embedder (rehearsal), reranker (lexical)";
    expect(shown.stdout).toContain(subject);
    const { sources, notes } = JSON.parse(comparisonIn(await read("run.html")) ?? "");
    expect(sources).toMatchObject([{ isRehearsal: false, mocks }]);
    expect(notes.join("\n")).toContain("embedder (rehearsal), reranker (lexical)");

    const resumed = await runMain(["optimize", study, "--resume", "run", "--json"], { cwd });
    expect(resumed.lines[0]).toBe(named);
    expect(resumed.stderr).toMatch(/^original options: .*--rehearsal/m);
    expect(resumed.lines).toContain(warning);
    expect(JSON.parse(resumed.lines.at(-1) ?? "")).toMatchObject({ rehearsal: false, mocks });
  });

  test("by run: in its first line and its last, and in its JSON line", async () => {
    await using real = await withRealLm();
    const run = ["run", study, "--input", question, ...real.lm];
    const { code, lines, stdout } = await runMain(run, { cwd: real.cwd });
    expect(code).toBe(0);
    expect(lines[0]).toBe(named);
    expect(lines.at(-1)).toBe(warning);
    // Standard output holds the answer alone.
    expect(JSON.parse(stdout)).toHaveProperty("answer");
    const json = await runMain([...run, "--json"], { cwd: real.cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      rehearsal: false,
      mocks: [embedder, reranker],
    });
  });

  test("by batch: in its first line and its last, JSON line and record", async () => {
    await using real = await withRealLm();
    const files = ["--input", "rows.jsonl", "--out", "answers.jsonl"];
    const batch = ["batch", serving, "--model", "near", ...files, ...real.lm, "--json"];
    const { code, lines, stdout } = await runMain(batch, { cwd: real.cwd });
    expect(code).toBe(0);
    expect(lines[0]).toBe(named);
    expect(lines.at(-1)).toBe(warning);
    const mocks = [embedder, reranker];
    expect(JSON.parse(stdout)).toMatchObject({ written: 1, isRehearsal: false, mocks });
    const record = JSON.parse(await real.read("answers.jsonl.run.json"));
    expect(record).toMatchObject({ isRehearsal: false, mocks });
  });

  test("by serve: in its first line and its last, its models, each answer, and its page", async () => {
    await using real = await withRealLm();
    const server = await serveCli([serving, ...real.lm], { cwd: real.cwd });
    const models = (await (await fetch(`${server.url}/v1/models`)).json()) as object;
    expect(models).toMatchObject({ data: [{ id: "near", mocks: [embedder, reranker] }] });
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(asked("How long is the bridge?", "near")),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-espalier-lm")).toBe("mocks");
    expect(await response.json()).toMatchObject({ system_fingerprint: "mocks" });
    const health = await (await fetch(`${server.url}/health`)).json();
    expect(health).toMatchObject({
      notice: expect.stringContaining("play embedder (rehearsal), reranker (lexical)"),
    });
    const { code, stderr } = await server.end();
    expect(code).toBe(0);
    const lines = stderr.trimEnd().split("\n");
    expect(lines[0]).toBe(named);
    expect(lines.at(-1)).toBe(warning);
  });
});

describe("--rehearsal", () => {
  test("has mocks play everything, and names each, though a servers file lies in the folder", async () => {
    await using server = await modelServer("real");
    const text = { url: server.baseUrl, model: "real" };
    await using folder = await serversFolder({
      lms: { real: text },
      embedder: text,
      reranker: text,
      predictors: { answer: "real" },
    });
    const cwd = folder.path;
    const evaluate = ["eval", study, "--limit", "2", ...once, "--json"];
    const { code, lines } = await runMain([...evaluate, "--rehearsal"], { cwd });
    expect(code).toBe(0);
    expect(lines[0]).toBe(allNamed);
    expect(lines.at(-2)).toContain(allNamed);
    const mocks = [lm, embedder, reranker];
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ rehearsal: true, mocks });

    const optimize = ["optimize", study, ...once, "--rehearsal", "--run", "run", "--json"];
    const optimized = await runMain(optimize, { cwd });
    expect(optimized.lines[0]).toBe(allNamed);
    expect(JSON.parse(optimized.lines.at(-1) ?? "")).toMatchObject({ rehearsal: true, mocks });
    const shown = await runMain(["show", "run"], { cwd });
    expect(shown.stdout).toContain("embedder (rehearsal), reranker (lexical)");
    expect(server.requests).toEqual([]);

    const served = await runMain(evaluate, { cwd });
    expect(served.lines.join("\n")).not.toMatch(/mocks play/);
    expect(JSON.parse(served.lines.at(-1) ?? "")).toMatchObject({ rehearsal: false, mocks: [] });
  });

  test("leaves to servers what other options name, such as a predictor's LM of the file", async () => {
    await using server = await modelServer("real");
    const real = { url: server.baseUrl, model: "real" };
    await using folder = await serversFolder({ lms: { real } });
    const evaluate = ["eval", study, "--limit", "2", ...once, "--rehearsal"];
    const { lines } = await runMain([...evaluate, "--lm-for", "answer=real"], { cwd: folder.path });
    expect(lines[0]).toBe(allNamed);
    expect(lines[1]).toBe("answer by real");
    expect(server.requests.length).toBeGreaterThan(1);
  });
});

describe("a missing part", () => {
  const files = ["--input", "rows.jsonl", "--out", "answers.jsonl"];
  const commands: readonly (readonly [name: string, ...words: readonly string[]])[] = [
    ["eval", study],
    ["optimize", study],
    ["run", study, "--input", question],
    ["batch", serving, "--model", "near", ...files],
    ["serve", serving, "--port", "0"],
  ];

  test.each(commands)(
    "is refused by %s without --rehearsal, before the LM is asked",
    async (...words) => {
      await using real = await withRealLm();
      const given = [...words, "--lm", real.server.baseUrl, ...once];
      const { code, stdout, stderr } = await runMain(given, { cwd: real.cwd });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(
        "part-missing: The program needs an embedder, but no server or mock plays it",
      );
      expect(stderr).toContain('"embedder": { "url": ');
      expect(stderr).toContain("--rehearsal");
      expect(real.server.requests).toEqual([]);
    },
  );

  test.each(commands.slice(0, 3))(
    "of %s is a mock where nothing at all is configured",
    async (...words) => {
      await using folder = await temporaryFolder();
      const { code, lines } = await runMain([...words, ...once], { cwd: folder.path });
      expect(code).toBe(0);
      expect(lines[0]).toBe(allNamed);
    },
  );

  test.each(commands.slice(3))("of %s is refused even then", async (...words) => {
    await using real = await withRealLm();
    const { code, stdout, stderr } = await runMain([...words, ...once], { cwd: real.cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("part-missing");
    expect(stderr).toContain("--rehearsal");
  });

  test("is refused beside a servers file that has others, and a part may be marked there", async () => {
    await using server = await modelServer("real");
    const real = { url: server.baseUrl, model: "real" };
    const evaluate = ["eval", study, "--limit", "2", ...once];
    await using without = await serversFolder({ lms: { real }, embedder: real });
    const refused = await runMain(evaluate, { cwd: without.path });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("The program needs a reranker");
    await using marked = await serversFolder({
      lms: { real },
      embedder: real,
      reranker: "rehearsal",
    });
    const { code, lines } = await runMain(evaluate, { cwd: marked.path });
    expect(code).toBe(0);
    expect(lines[0]).toBe("mocks play reranker (lexical)");
  });
});
