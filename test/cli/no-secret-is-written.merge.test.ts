import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { compileArtifact, openRegistry } from "espalier/artifact";
import { serveRehearsal } from "@espalier/rehearsal";
import { newApiKey } from "espalier/serve";
import { expect, it } from "vitest";
import { placeStudy } from "../optimizer/support/place-search.ts";
import type { Quoting } from "../support/quoting-server.ts";
import { quotingServer } from "../support/quoting-server.ts";
import type { CliResult } from "../support/run-cli.ts";
import { espalier } from "../support/run-cli.ts";
import { runMain } from "../support/run-main.ts";
import { filesBelow, leaksOf, textsOf } from "../support/secret-leaks.ts";
import { serveCli } from "../support/serve-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const fixture = (name: string): string => resolve(import.meta.dirname, "fixtures", name);
const places = fixture("places.ts");
const keyed = fixture("keyed-serving.ts");

const password = "p@ss/w0rd+Tk55";
const served = newApiKey("ada");
const lmKey = "lm+key/7f3a=Zq9w";
const secrets = {
  lmKey,
  bearer: `Bearer ${lmKey}`,
  password,
  login: `lm-user:${password}`,
  header: "tenant-Value 8812/x",
  searchKey: "search+key/51bd=",
  servedKey: served.key,
  wrongKey: "esp-wrong+key/9c0e",
};
const withLogin = (host: string): string =>
  `http://lm-user:${encodeURIComponent(password)}@${host}/v1`;

/** Faults that may pass, each a few times in the course of a search. */
const passing: readonly Quoting[] = ["failure", "no-json", "wrong-shape"];

it("no key, password or header value gets into anything that a search and its reports write", async () => {
  await using behind = await serveRehearsal();
  let calls = 0;
  let always: Quoting | undefined;
  const failedOnce = new Set<string>();
  await using server = await quotingServer(behind.url, ({ path, body }) => {
    if (!path.endsWith("/chat/completions")) return undefined;
    if (always !== undefined) return always;
    calls += 1;
    // A request that met a fault meets none again: its retry gets through in any order of calls.
    if (calls % 9 !== 0 || failedOnce.has(body)) return undefined;
    failedOnce.add(body);
    return passing[(calls / 9) % passing.length];
  });
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const cli = (...args: readonly string[]): Promise<CliResult> =>
    runMain([...args, "--lm", withLogin(server.host)], {
      cwd,
      env: { ESPALIER_API_KEY: secrets.lmKey },
    });
  const once = ["--patience", "0", "--json"];

  const results: Record<string, CliResult> = {};
  results["doctor"] = await cli("doctor");
  const search = ["optimize", places, "--budget", "60"];
  const uncached = ["--cache", "none"];
  results["optimize"] = await cli(...search, "--run", "run", "--out", "places.json", ...once);
  expect(results["optimize"]).toMatchObject({ code: 0 });
  results["show"] = await runMain(["show", "run", "--html", "run.html", "--json"], { cwd });
  const table = ["experiment", fixture("place-experiment.ts"), "--run", "table"];
  results["experiment"] = await cli(...table, ...uncached, ...once);
  expect(results["experiment"]).toMatchObject({ code: 0 });
  expect(results["experiment"].stdout).toContain('"format":"espalier-experiment/1"');
  always = "failure";
  results["eval"] = await cli("eval", places, "--out", "result.json", ...uncached, ...once);
  always = "refusal";
  results["optimize, refused"] = await cli(...search, "--run", "refused", ...uncached);
  expect(results["optimize, refused"].stderr).toContain(`To resume: ${espalier} optimize`);
  const input = JSON.stringify({ question: "Where?", history: "none" });
  results["run, refused"] = await cli("run", places, "--input", input, ...uncached);
  expect(results["run, refused"].stderr).toContain("lm-unauthorized");
  expect(server.quoted()).toBeGreaterThan(10);

  const files = await filesBelow(cwd);
  expect(Object.keys(files).map((path) => path.replaceAll(/[0-9a-f]{16}/g, "HASH"))).toEqual(
    expect.arrayContaining([
      "places.json",
      "result.json",
      "run.html",
      "run/command.json",
      "run/journal.jsonl",
      "refused/journal.jsonl",
      "table/command.json",
      "table/table.json",
      "table/rows/as-declared/result.json",
      "table/rows/optimized/journal.jsonl",
      ".espalier/cache.sqlite",
      ".espalier/servers/HASH.json",
    ]),
  );
  const written = { ...files, ...textsOf(results) };
  // What was quoted has got this far, without what must not.
  for (const place of ["run/journal.jsonl", "result.json", "stderr of run, refused"]) {
    expect(written[place]).toContain("[redacted]");
  }
  expect(leaksOf(secrets, written)).toEqual([]);
});

const quotings = ["refusal", "failure", "no-json", "wrong-shape", "in-a-stream"] as const;

it("no key, password or header value gets into anything that a server writes or answers", async () => {
  await using behind = await serveRehearsal();
  await using server = await quotingServer(behind.url, ({ path, body }) =>
    path.startsWith("/search") ? "failure" : quotings.find((each) => body.includes(`<${each}>`)),
  );
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, "keys"), `${served.line}\n`);
  const options = {
    cwd,
    env: {
      ESPALIER_API_KEY: secrets.lmKey,
      TEST_LM_URL: withLogin(server.host),
      TEST_LM_HEADER: secrets.header,
      TEST_SEARCH_URL: `http://${server.host}/search`,
      TEST_SEARCH_KEY: secrets.searchKey,
    },
  };
  const lm = ["--lm", withLogin(server.host), "--cache", "cache.sqlite", "--patience", "0"];
  const results: Record<string, CliResult> = {};
  results["eval"] = await runMain(["eval", places, "--artifact", "places.json", ...lm], options);
  results["add"] = await runMain(["artifact", "add", "places.json", "--to", "production"], options);
  expect(results["add"]).toMatchObject({ code: 0 });
  // A candidate on whose calls the server quotes.
  const registry = openRegistry(join(cwd, "artifacts"));
  const { version } = await registry.add(
    compileArtifact({
      program: placeStudy.program,
      candidate: [{ kind: "instruction", path: "broadQuery", value: "Be brief <refusal>." }],
      lm: { provider: "test", model: "none" },
      samples: { broadQuery: [{ question: "Where?", history: "none" }] },
    }),
  );
  await registry.promote(placeStudy.program.name, version, "candidate");

  const trial = ["--canary", "30%", "--shadow", "50%", "--state", "state"];
  const tried = ["--artifacts", "artifacts", ...trial];
  const kept = [...tried, "--keys", "keys", "--feedback", "feedback.sqlite"];
  const serving = await serveCli(
    [keyed, ...lm, ...kept, "--protocol", fixture("mmu-rag.ts")],
    options,
  );
  const answers: Record<string, string> = {};
  const post = async (path: string, body: object, key: string = secrets.servedKey) => {
    const response = await fetch(`${serving.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    answers[`${path} ${JSON.stringify(body)}`] = text + JSON.stringify([...response.headers]);
    return { status: response.status, text };
  };
  const chat = (model: string, content: string, stream: boolean, key?: string) =>
    post("/v1/chat/completions", { model, stream, messages: [{ role: "user", content }] }, key);

  const asked = quotings.flatMap((quoting) => [`Where? <${quoting}>`]);
  for (const question of ["Where?", "Where? search", ...asked]) {
    for (const model of ["towns", "towns/own", "places"]) await chat(model, question, false);
    await chat("towns", question, true);
    await post("/run", { question });
    await post("/evaluate", { query: question, iid: question });
  }
  expect((await chat("towns", "Where?", false, secrets.wrongKey)).status).toBe(401);
  for (let user = 0; user < 20; user += 1) {
    const messages = [{ role: "user", content: "Where?" }];
    await post("/v1/chat/completions", { model: "places", user: `user-${user}`, messages });
  }
  const { id } = JSON.parse((await chat("towns", "Where?", false)).text) as { readonly id: string };
  expect((await post("/v1/feedback", { id, rating: "up", comment: "Good." })).status).toBe(200);
  const headers = { authorization: `Bearer ${secrets.servedKey}` };
  for (const path of ["/ready", "/health", "/v1/models", "/v1/rollouts", "/metrics"]) {
    answers[path] = await (await fetch(`${serving.url}${path}`, { headers })).text();
  }
  results["serve"] = await serving.end();
  expect(results["serve"].stderr).toMatch(/"event":"shadow".*"failure":"lm-unauthorized"/);
  const { data } = JSON.parse(answers["/v1/rollouts"] ?? "") as {
    readonly data: readonly [{ readonly keys: { readonly baseline: number } }];
  };
  expect(data[0].keys.baseline).toBeGreaterThan(0);
  results["rollout"] = await runMain(["rollout", "show", "--state", "state"], options);

  await writeFile(
    join(cwd, "questions.jsonl"),
    asked.map((query, iid) => `${JSON.stringify({ query, iid })}\n`).join(""),
  );
  const files = ["--input", "questions.jsonl", "--out", "answers.jsonl"];
  const asking = [...files, "--protocol", fixture("mmu-rag.ts")];
  const batch = ["batch", keyed, "--model", "towns", ...asking, ...lm, "--concurrency", "1"];
  results["batch"] = await runMain(batch, options);
  const toTrainset = ["feedback", "to-trainset", "feedback.sqlite", "--out", "rated.jsonl"];
  results["feedback"] = await runMain(toTrainset, options);
  expect(server.quoted()).toBeGreaterThan(30);

  const below = await filesBelow(cwd);
  const wanted = ["feedback.sqlite", "cache.sqlite", "answers.jsonl.run.json", "rated.jsonl"];
  for (const path of [...wanted, "state/state.sqlite"]) expect(below).toHaveProperty([path]);
  const written = { ...below, ...answers, ...textsOf(results) };
  // What was quoted has got this far, without what must not.
  expect(written["stderr of serve"]).toContain("[redacted]");
  expect(leaksOf(secrets, written)).toEqual([]);
});
