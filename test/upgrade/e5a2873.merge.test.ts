import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { serveRehearsal } from "@espalier/rehearsal";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runMain } from "../support/run-main.ts";
import { serveCli } from "../support/serve-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// Everything in the folder beside this file was written by commit e5a2873's own commands, on the
// study that lies there too, with its rehearsal LM over HTTP.
const kept = resolve(import.meta.dirname, "e5a2873");
const repository = resolve(import.meta.dirname, "../..");
const where = { passages: [{ id: "p1", text: "The mill was built in 1871." }] };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Awaited<ReturnType<typeof serveRehearsal>>;

beforeEach(async () => {
  folder = await temporaryFolder();
  cpSync(kept, folder.path, { recursive: true });
  writeFileSync(join(folder.path, "package.json"), JSON.stringify({ type: "module" }));
  mkdirSync(join(folder.path, "node_modules"));
  symlinkSync(repository, join(folder.path, "node_modules/espalier"));
  symlinkSync(join(repository, "node_modules/zod"), join(folder.path, "node_modules/zod"));
  server = await serveRehearsal();
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

it("an artifact is shown, and runs with the prompts of its time", async () => {
  const shown = await espalier("show", "artifact.json");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toContain("program answerer 1, f79da168156f (espalier-artifact/1)");
  const question = JSON.stringify({ question: "When was the mill built?", ...where });
  const ran = await espalier(
    "run",
    "artifact.json",
    ...lm(),
    "--cache",
    "none",
    "--input",
    question,
  );
  expect(ran.stderr).not.toContain("espalier:");
  expect(JSON.parse(ran.stdout)).toEqual({ answer: "The mill was built in 1871." });
});

it("a registry lists, verifies and takes back its versions", async () => {
  const registry = ["--registry", "registry"];
  const listed = await espalier("artifact", "list", ...registry);
  expect(listed).toMatchObject({ code: 0 });
  expect(listed.stdout).toContain("cb168ee45f44  production");
  expect(await espalier("artifact", "verify", "answerer", ...registry)).toMatchObject({ code: 0 });
  const again = await espalier(
    "artifact",
    "add",
    "artifact.json",
    "--to",
    "production",
    ...registry,
  );
  expect(again).toMatchObject({ code: 0 });
  const back = await espalier("artifact", "rollback", "answerer", ...registry);
  expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining("cb168ee45f44") });
});

it("a run is shown and compared; going on with it is refused, with what to do", async () => {
  const shown = await espalier("show", "run");
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain(
    "0 proposals kept, 0 of them better on val than the program it started from; 16 refused",
  );
  const compared = await espalier("compare", "run", "artifact.json");
  expect(compared).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("found nothing better"),
  });
  const resumed = await espalier("optimize", "study.ts", "--resume", "run", ...lm());
  expect(resumed).toMatchObject({ code: 2 });
  expect(resumed.stderr).toMatch(
    /begun by another optimizer, or another version of it .*Expected: gepa 3[.] Got: gepa \d+[.] .*use the espalier that began it, or start a new run/,
  );
  expect(await espalier("show", "run")).toEqual(shown);
});

it("a saved result is a baseline", async () => {
  const compared = ["--cache", "none", "--baseline", "result.json"];
  const { code, stdout } = await espalier("eval", "study.ts", ...lm(), ...compared);
  expect(code).toBe(0);
  expect(stdout).toContain("6 examples in 6 clusters: 0 better, 0 worse, 6 equal");
});

it("the cache of replies is opened, added to, and answers", async () => {
  const evaluate = () => espalier("eval", "study.ts", ...lm(), "--cache", "cache.sqlite");
  expect(await evaluate()).toMatchObject({ code: 0 });
  const { stdout } = await evaluate();
  expect(stdout).toContain("student: 12 calls (0 sent to the server)");
});

it("an index is inspected and searched, its vectors too", async () => {
  const inspected = await espalier("corpus", "inspect", "index.sqlite");
  expect(inspected.stdout).toContain("9 passages, 9 with a title");
  expect(inspected.stdout).toContain(
    "vectors from rehearsal (rehearsal): 9 passages, 16 dimensions",
  );
  const found = await espalier("corpus", "search", "index.sqlite", "--query", "mill");
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining("The mill was built") });
});

it("feedback is summed up, exported and erased", async () => {
  const summary = await espalier("feedback", "summary", "feedback.sqlite");
  expect(summary.stdout).toContain("towns@cb168ee45f44  1 answers, 0 up, 1 down");
  const out = join(folder.path, "rows.jsonl");
  expect(await espalier("feedback", "to-trainset", "feedback.sqlite", "--out", out)).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({
    labels: { rating: "down", answer: "In 1931.", rejected: "The mill was built in 1871." },
  });
  await espalier("feedback", "erase", "feedback.sqlite", "--user", "ann");
  const after = await espalier("feedback", "summary", "feedback.sqlite");
  expect(after.stdout).not.toContain("towns@");
});

it("a server goes on with its state, its registry and its feedback", async () => {
  const served = await serveCli(
    ["serving.ts", ...lm(), "--artifacts", "registry", "--state", "state"].concat(
      // However long ago the kept answer was given.
      ["--feedback", "feedback.sqlite", "--feedback-days", "36500"],
    ),
    { cwd: folder.path },
  );
  const answered = await fetch(`${served.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "towns",
      messages: [{ role: "user", content: "When was the mill built?" }],
    }),
  });
  const answer = (await answered.json()) as { readonly id: string };
  expect(answer).toMatchObject({ metadata: { version: "cb168ee45f44" } });
  const rated = await fetch(`${served.url}/v1/feedback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: answer.id, rating: "up" }),
  });
  expect(rated.status).toBe(200);
  expect((await served.end()).code).toBe(0);
  const { stdout } = await espalier("feedback", "summary", "feedback.sqlite");
  expect(stdout).toContain("towns@cb168ee45f44  2 answers, 1 up, 1 down");
});

function lm(): readonly string[] {
  return ["--lm", `${server.url}/v1`];
}

function espalier(...words: readonly string[]): ReturnType<typeof runMain> {
  return runMain(words, { cwd: folder.path });
}
