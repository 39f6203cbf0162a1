import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readServers } from "espalier/servers";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const url = "http://127.0.0.1:8000/v1";
const format = "espalier-servers/1";
const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };

/** Everything that a servers file can hold. */
const whole = {
  $schema: "./servers.schema.json",
  format,
  lms: {
    big: { url, model: "Qwen/Qwen3-32B", keyVariable: "BIG_KEY", concurrency: 32, price },
    small: { url: [url, "http://127.0.0.1:8001/v1"], model: "Qwen/Qwen3-4B" },
  },
  roles: { answer: "big", reflection: "big", judge: "rehearsal" },
  predictors: { judgeEvidence: "small", writeQuery: "rehearsal" },
  embedder: { url, model: "e5", keyVariable: "TEXT_KEY", truncatePromptTokens: -1, batchSize: 16 },
  reranker: { url, model: "bge-reranker", concurrency: 4, truncatePromptTokens: 512 },
  pairScorer: { url, model: "Qwen/Qwen3-Reranker-0.6B", template: "qwen3-reranker" },
  tokenizer: { url, model: "Qwen/Qwen3-32B", concurrency: 2 },
  search: {
    url: "https://search.example/search",
    keyVariable: "SEARCH_KEY",
    keyHeader: "authorization",
    queryParameter: "q",
    countParameter: "n",
    parameters: { cw22_a: "true" },
    version: "2026-11",
  },
};

async function read(content: unknown) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "servers.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return await readServers(path);
}

/** What is wrong, without the advice that every malformed file gets. */
async function refusalOf(content: unknown): Promise<string> {
  const { code, report } = await thrownBy(() => read(content));
  expect(code).toBe("file-malformed");
  expect(report.where).toMatch(/servers\.json$/);
  expect(report.expected).toContain('"format": "espalier-servers/1"');
  return report.got ?? "";
}

test("a file with everything in it is read as it stands", async () => {
  expect(await read(whole)).toEqual(whole);
});

test("a file may name nothing at all, and a search engine takes its key where DeepResearchGym does", async () => {
  expect(await read({ format })).toEqual({ format, lms: {}, roles: {}, predictors: {} });
  const { search } = await read({ format, search: { url: "http://127.0.0.1:9/search" } });
  expect(search).toEqual({ url: "http://127.0.0.1:9/search", keyHeader: "x-api-key" });
});

test.each(["reranker", "pairScorer", "embedder", "tokenizer"])(
  "a mock may be asked for as %s",
  async (part) => {
    expect(await read({ format, [part]: "rehearsal" })).toHaveProperty(part, "rehearsal");
  },
);

test("an embedder may be a local model", async () => {
  const embedder = "local:minilm-l6";
  expect(await read({ format, embedder })).toHaveProperty("embedder", embedder);
});

describe("a malformed file is refused with what is wrong and where:", () => {
  const lms = { main: { url, model: "m" } };
  const model = "m";
  test.each<[problem: string, content: unknown, got: string]>([
    [
      "another format",
      { ...whole, format: "espalier-servers/2" },
      'format: Invalid input: expected "espalier-servers/1"',
    ],
    ["a list", [], "Invalid input: expected object, received array"],
    ["an unknown part", { format, embeder: {} }, 'Unrecognized key: "embeder"'],
    [
      "an unknown key of an LM",
      { format, lms: { main: { url, model, key: "s" } } },
      'lms.main: Unrecognized key: "key"',
    ],
    [
      "an unknown key of an embedder",
      { format, embedder: { url, model, key: "s" } },
      'embedder: Unrecognized key: "key"',
    ],
    [
      "an unknown key of a reranker",
      { format, reranker: { url, model, top: 3 } },
      'reranker: Unrecognized key: "top"',
    ],
    [
      "an unknown role",
      { format, lms, roles: { judges: "main" } },
      'roles: Unrecognized key: "judges"',
    ],
    [
      "an LM without a model",
      { format, lms: { main: { url } } },
      "lms.main.model: Invalid input: expected string, received undefined",
    ],
    [
      "an LM at no URL",
      { format, lms: { main: { url: "localhost:8000", model } } },
      "lms.main.url: expected a URL such as http://127.0.0.1:8000/v1",
    ],
    [
      "an LM whose URL is a number",
      { format, lms: { main: { url: 5, model } } },
      "lms.main.url: expected a URL such as http://127.0.0.1:8000/v1, @FILE, or dns+http://NAME:8000/v1, or a list of them",
    ],
    [
      "an LM of which one URL is wrong",
      { format, lms: { main: { url: [url, "ftp://x"], model } } },
      "lms.main.url.1: expected a URL such as http://127.0.0.1:8000/v1",
    ],
    [
      "an LM in a list of servers without a name",
      { format, lms: { main: { url: "@", model } } },
      "lms.main.url: expected a URL such as http://127.0.0.1:8000/v1, @FILE",
    ],
    [
      "an LM at a name that only resolves for http",
      { format, lms: { main: { url: "dns+https://lms:8000/v1", model } } },
      "lms.main.url: expected a URL such as http://127.0.0.1:8000/v1, @FILE",
    ],
    [
      "an embedder at no URL",
      { format, embedder: { url: "x", model } },
      "embedder.url: expected a URL such as http://127.0.0.1:8000/v1",
    ],
    [
      "a search engine at no URL",
      { format, search: { url: "x" } },
      "search.url: expected a URL such as https://search.example/search",
    ],
    [
      "an embedder that is a number",
      { format, embedder: 5 },
      'embedder: expected an object with `url` and `model`, `local:MODEL`, or "rehearsal"',
    ],
    [
      "an embedder without a name",
      { format, embedder: "local:" },
      'embedder: expected an object with `url` and `model`, `local:MODEL`, or "rehearsal"',
    ],
    [
      "a tokenizer that is a number",
      { format, tokenizer: 5 },
      'tokenizer: expected the name of an LM in `lms`, an object with `url` and `model`, or "rehearsal"',
    ],
    [
      "an LM called like the mock",
      { format, lms: { rehearsal: { url, model } } },
      "lms.rehearsal: expected a name without spaces, commas, `=` or `#`, other than `rehearsal`",
    ],
    [
      "an LM whose name no option can hold",
      { format, lms: { "a,b": { url, model } } },
      "lms.a,b: expected a name without spaces",
    ],
    [
      "a role of no LM",
      { format, lms, roles: { judge: "man" } },
      "roles.judge: no LM has this name; `lms` has main",
    ],
    [
      "a predictor of no LM",
      { format, predictors: { query: "main" } },
      "predictors.query: no LM has this name; `lms` has none",
    ],
    [
      "a reranker of no LM",
      { format, lms, reranker: { lm: "man" } },
      "reranker.lm: no LM has this name; `lms` has main",
    ],
    [
      "a tokenizer of no LM",
      { format, lms, tokenizer: "man" },
      "tokenizer: no LM has this name; `lms` has main",
    ],
    [
      "a name that every object has",
      { format, lms, tokenizer: "constructor" },
      "tokenizer: no LM has this name",
    ],
    [
      "a negative price",
      { format, lms: { main: { url, model, price: { ...price, promptUsdPerMillion: -1 } } } },
      "lms.main.price.promptUsdPerMillion: Too small",
    ],
    [
      "no requests in flight",
      { format, embedder: { url, model, concurrency: 0 } },
      "embedder.concurrency: Too small",
    ],
    [
      "a key in place of its variable",
      { format, lms: { main: { url, model, keyVariable: "sk-123" } } },
      "lms.main.keyVariable: expected the name of an environment variable",
    ],
    [
      "an unknown template",
      { format, pairScorer: { url, model, template: "qwen4" } },
      'pairScorer.template: Invalid input: expected "qwen3-reranker"',
    ],
  ])("%s", async (_problem, content, got) => {
    expect(await refusalOf(content)).toContain(got);
  });

  test("not JSON", async () => {
    expect(await refusalOf('{ "format": "espalier-servers/1", }')).toContain("JSON");
  });
});

test("a local model's path is taken from the file's folder", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "servers.json");
  await writeFile(path, JSON.stringify({ format, embedder: "local:./models/own.gguf" }));
  const { embedder } = await readServers(path);
  expect(embedder).toBe(`local:${join(folder.path, "models/own.gguf")}`);
});

test("a file that is not there is refused, and says how to write one", async () => {
  const { code, message } = await thrownBy(() => readServers("/nowhere/servers.json"));
  expect(code).toBe("file-missing");
  expect(message).toContain("/nowhere/servers.json");
  expect(message).toContain("espalier servers --schema");
});

test("the printed JSON schema accepts a whole file, and refuses an unknown key and a wrong URL", async () => {
  const { code, stdout } = await runMain(["servers", "--schema"]);
  expect(code).toBe(0);
  const schema = z.fromJSONSchema(JSON.parse(stdout));
  expect(schema.safeParse(whole)).toMatchObject({ success: true });
  expect(schema.safeParse({ format })).toMatchObject({ success: true });
  for (const wrong of [{ embeder: {} }, { embedder: { url: "x" } }, { format: "1" }]) {
    expect(schema.safeParse({ ...whole, ...wrong })).toMatchObject({ success: false });
  }
});
