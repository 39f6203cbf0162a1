import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Embedder } from "espalier";
import { embedDemonstrations } from "espalier";
import type { Artifact } from "espalier/artifact";
import { compileArtifact, writeArtifact } from "espalier/artifact";
import { connectEmbedder } from "espalier/lm";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { serversFolder } from "../../support/servers-folder.ts";
import { chat, chatPath } from "../../support/vllm-server.ts";
import { answerer, rows } from "../fixtures/near-demonstrations.ts";

const fixture = (name: string): string => resolve(`test/cli/fixtures/${name}.ts`);
const study = fixture("near-demonstrations");
const serving = fixture("near-demonstrations-serving");
const once = ["--cache", "none", "--patience", "0"];
const input = JSON.stringify({ question: "What is a fox?" });

const pool = rows.map(({ id, input: inputs, labels }) => ({
  exampleId: id,
  inputs,
  outputs: { answer: labels.answers[0] ?? "" },
}));

async function artifactBy(embedder: Embedder | "words"): Promise<Artifact> {
  const by = embedder === "words" ? embedder : await embedDemonstrations(pool, { embedder });
  return compileArtifact({
    program: answerer,
    candidate: [{ kind: "demos", path: "answer", value: pool, nearest: { k: 2, by } }],
    lm: { provider: "vllm", model: "text" },
    samples: {},
  });
}

/** A server of an LM and an embedder, an artifact by the embedder, and the servers file of both. */
async function withServers() {
  const server = await modelServer("text");
  const at = { url: server.baseUrl, model: "text" };
  const folder = await serversFolder({ lms: { text: at }, embedder: at });
  const embedder = connectEmbedder({ baseUrl: server.baseUrl, model: "text" });
  await writeArtifact(join(folder.path, "near.json"), await artifactBy(embedder));
  await writeArtifact(join(folder.path, "words.json"), await artifactBy("words"));
  return {
    cwd: folder.path,
    at,
    server,
    file: folder.file,
    [Symbol.asyncDispose]: async () => {
      await folder[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("an artifact that chooses demonstrations by an embedder", () => {
  test.each([
    ["a program without an embedder", fixture("near-demonstrations-bare")],
    ["a study that gives its program one", study],
  ])("runs with that of the servers file, for %s", async (_, source) => {
    await using servers = await withServers();
    const { cwd } = servers;
    const run = ["run", "near.json", "--study", source, "--input", input, ...once];
    const { code, stdout } = await runMain([...run, "--trace", "--json"], { cwd });
    expect(code).toBe(0);
    const [step] = JSON.parse(stdout).trace.children;
    expect(step.demonstrations).toHaveLength(2);
    expect(step.demonstrations.at(-1)).toBe("e1");
    expect(step.calls[0].messages).toHaveLength(2 + 2 * 2);
  });

  test("is refused with another embedder, and without any", async () => {
    await using servers = await withServers();
    const { cwd, at } = servers;
    const run = ["run", "near.json", "--study", fixture("near-demonstrations-bare"), ...once];
    const stood = await runMain([...run, "--input", input, "--rehearsal"], { cwd });
    expect(stood.stderr).toContain('embedder of predictor "answer" was');
    await writeFile(
      servers.file,
      JSON.stringify({ format: "espalier-servers/1", lms: { text: at } }),
    );
    const without = await runMain([...run, "--input", input], { cwd });
    expect(without.stderr).toContain("part-missing");
    expect([stood.code, without.code]).not.toContain(0);
  });

  test("is a version of a serving, whose program gets the embedder of the servers file", async () => {
    await using servers = await withServers();
    const { cwd } = servers;
    await writeFile(join(cwd, "rows.jsonl"), `{"id":"q1","input":${input}}\n`);
    const added = await runMain(["artifact", "add", "near.json", "--to", "production"], { cwd });
    expect(added.code).toBe(0);
    const batch = ["batch", serving, "--model", "things", "--input", "rows.jsonl", ...once];
    const more = ["--out", "out.jsonl", "--artifacts", "artifacts"];
    const done = await runMain([...batch, ...more], { cwd });
    expect(done.stderr).not.toContain("espalier:");
    expect(done.code).toBe(0);
    expect(await readFile(join(cwd, "out.jsonl"), "utf8")).toContain('"q1"');
    await writeFile(
      servers.file,
      JSON.stringify({ format: "espalier-servers/1", lms: { text: servers.at } }),
    );
    const without = await runMain([...batch, "--out", "other.jsonl", "--artifacts", "artifacts"], {
      cwd,
    });
    expect(without.code).not.toBe(0);
    expect(without.stderr).toContain("program.withEmbedder(embedder)");
  });

  test("is shown, but not its prompt for an input, since show asks no model", async () => {
    await using servers = await withServers();
    const { cwd } = servers;
    const shown = await runMain(["show", "near.json"], { cwd });
    expect(shown.stdout).toContain("prompts show the 2 nearest by the vectors of text");
    const prompt = ["--predictor", "answer", "--input", input, "--study", study];
    const refused = await runMain(["show", "near.json", ...prompt], { cwd });
    expect(refused.stderr).toContain("espalier run --trace --json");
    const lexical = await runMain(["show", "words.json", ...prompt], { cwd });
    expect(lexical.stdout).toContain("a red fox is a thing");
    expect(lexical.stdout).not.toContain("a harbour is a thing");
  });
});

test("optimize keeps the nearest by the embedder of the run where they win, as what can be run", async () => {
  await using servers = await withServers();
  const { cwd } = servers;
  // Repeats the answer that stands last before the question.
  servers.server.always(
    chatPath,
    chat(({ body }) => ({
      content: body.messages.at(-3) === undefined ? '{"answer":"?"}' : body.messages.at(-2).content,
    })),
  );
  const optimize = ["optimize", study, "--budget", "60", ...once];
  const made = await runMain([...optimize, "--run", "run", "--out", "made.json"], { cwd });
  expect(made.code).toBe(0);
  const artifact = JSON.parse(await readFile(join(cwd, "made.json"), "utf8")) as Artifact;
  const { samples, components } = artifact.compiled;
  const demos = components.find(({ kind }) => kind === "demos");
  expect(demos).toMatchObject({ nearest: { k: 2, by: { embedder: { model: "text" } } } });
  expect(samples["answer"]?.every(({ vector }) => vector !== undefined)).toBe(true);
  const [run, shown] = [
    await runMain(["run", "made.json", "--study", study, "--input", input, ...once], { cwd }),
    await runMain(["show", "run"], { cwd }),
  ];
  expect(JSON.parse(run.stdout)).toEqual({ answer: "a red fox is a thing" });
  expect(shown.stdout).toContain("shown: all -> the 2 nearest by the vectors of text");
});
