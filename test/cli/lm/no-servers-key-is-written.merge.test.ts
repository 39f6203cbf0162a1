import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { serveRehearsal } from "@espalier/rehearsal";
import { expect, test, vi } from "vitest";
import type { Quoting } from "../../support/quoting-server.ts";
import { quotingServer } from "../../support/quoting-server.ts";
import type { CliResult } from "../../support/run-cli.ts";
import { espalier } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { filesBelow, leaksOf, textsOf } from "../../support/secret-leaks.ts";
import { serveCli } from "../../support/serve-cli.ts";
import { serversFolder } from "../../support/servers-folder.ts";

const near = resolve("test/cli/fixtures/near-towns.ts");
const serving = resolve("test/cli/fixtures/near-towns-serving.ts");

const password = "p@ss/w0rd+Tk55";
const secrets = {
  mainKey: "main+key/1a2b=",
  smallKey: "small+key/3c4d=",
  embedderKey: "embedder+key/5e6f=",
  rerankerKey: "reranker+key/7a8b=",
  password,
  login: `lm-user:${password}`,
};
const env = {
  TEST_MAIN_KEY: secrets.mainKey,
  TEST_SMALL_KEY: secrets.smallKey,
  TEST_EMBEDDER_KEY: secrets.embedderKey,
  TEST_RERANKER_KEY: secrets.rerankerKey,
};
const withLogin = (host: string): string =>
  `http://lm-user:${encodeURIComponent(password)}@${host}/v1`;

test("no key of the servers file gets into anything that is written, whichever of its servers quotes it", async () => {
  await using behind = await serveRehearsal({ model: "real" });
  let quoting: Readonly<Record<string, Quoting>> = {};
  let chats = 0;
  await using server = await quotingServer(behind.url, ({ path }) => {
    const route = path.split(/[/?]/).findLast((part) => part in quoting) ?? "";
    if (route === "completions" && quoting[route] === "no-json") {
      chats += 1;
      return chats % 5 === 0 ? quoting[route] : undefined;
    }
    return quoting[route];
  });
  const at = (name: string) => ({
    url: `http://${server.host}/v1`,
    model: "real",
    keyVariable: `TEST_${name}_KEY`,
  });
  await using folder = await serversFolder({
    lms: { main: { ...at("MAIN"), url: withLogin(server.host) }, small: at("SMALL") },
    roles: { answer: "main", judge: "small" },
    predictors: { answer: "small" },
    embedder: at("EMBEDDER"),
    reranker: at("RERANKER"),
  });
  const cwd = folder.path;
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const once = ["--patience", "0", "--cache", "none"];
  const results: Record<string, CliResult> = {};
  const run = async (name: string, ...words: readonly string[]) => {
    results[name] = await runMain(words, { cwd });
    return results[name];
  };

  for (const route of ["completions", "embeddings", "rerank", "models"]) {
    for (const way of ["refusal", "wrong-shape"] as const) {
      quoting = { [route]: way };
      const files = ["--out", `${route}-${way}.json`, "--limit", "2", "--json"];
      const { code } = await run(`eval, ${route} ${way}`, "eval", near, ...files, ...once);
      expect(code).not.toBe(0);
    }
    await run(`servers, ${route}`, "servers", ...(route === "models" ? ["--json"] : []));
  }
  quoting = { completions: "no-json" };
  const search = ["optimize", near, "--out", "near.json"];
  expect(await run("optimize", ...search, "--run", "run")).toMatchObject({ code: 0 });
  expect(await run("show", "show", "run", "--html", "run.html")).toMatchObject({ code: 0 });

  // The command line names LMs as well, with the login in their URLs.
  const named = [
    "--lm",
    withLogin(server.host),
    "--lm-for",
    `answer=${withLogin(server.host)}#real`,
  ];
  await run("optimize, named", ...search, "--run", "named", ...named, "--budget", "7");
  quoting = { completions: "refusal" };
  const uncached = [...search, "--run", "refused", "--cache", "none"];
  const refused = await run("optimize, refused", ...uncached, ...named);
  expect(refused.stderr).toContain(`To resume: ${espalier} optimize`);

  const questions = join(cwd, "questions.jsonl");
  await writeFile(questions, '{"id":"q1","input":{"question":"Where?"}}\n');
  const answers: Record<string, string> = {};
  for (const route of ["embeddings", "rerank", "completions"]) {
    quoting = { [route]: "refusal" };
    const files = ["--input", "questions.jsonl", "--out", `${route}.jsonl`];
    await run(`batch, ${route}`, "batch", serving, "--model", "near", ...files, ...once);
  }
  const running = await serveCli([serving, "--state", "state", ...once], { cwd, env });
  for (const route of ["embeddings", "rerank", "completions"]) {
    quoting = { [route]: "failure" };
    const response = await fetch(`${running.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "near", messages: [{ role: "user", content: "Where?" }] }),
    });
    expect(response.status).toBeGreaterThan(399);
    answers[route] = await response.text();
  }
  results["serve"] = await running.end();
  expect(server.quoted()).toBeGreaterThan(20);

  const written = { ...(await filesBelow(cwd)), ...answers, ...textsOf(results) };
  // What was quoted has got this far, without what must not.
  const redacted = Object.entries(written).filter(([, text]) => text.includes("[redacted]"));
  for (const place of [
    "stderr of eval, embeddings refusal",
    "stdout of servers, rerank",
    "stderr of serve",
  ]) {
    expect(redacted.map(([name]) => name)).toContain(place);
  }
  // The file itself is the user's, who put the login of a URL into it.
  expect(leaksOf(secrets, { ...written, "espalier.servers.json": "" })).toEqual([]);
});
