import type { Metric } from "espalier";
import { rehearsalEmbedder, rehearsalScorer } from "@espalier/rehearsal";
import { connect } from "espalier/lm";
import { metric, scored } from "espalier/metric";
import { lexicalReranker } from "espalier/retrieval";
import type { Parts, Servers } from "espalier/servers";
import { parts, serversSchema } from "espalier/servers";
import { describe, expect, test } from "vitest";
import { modelServer } from "../support/model-server.ts";
import { searchServer } from "../support/search-server.ts";
import { thrownBy } from "../support/thrown-by.ts";
import type { VllmServer } from "../support/vllm-server.ts";
import { chat, chatPath } from "../support/vllm-server.ts";

const format = "espalier-servers/1";
const servers = (given: object): Servers => serversSchema.parse({ format, ...given });
const mockModels = { rehearsalEmbedder, rehearsalScorer };

const passages = [
  { id: "bread", text: "Bread is baked before dawn." },
  { id: "light", text: "The lighthouse stands on the western pier." },
];
const query = "Where does the lighthouse stand?";
const ranked = async (from: Parts) => {
  const best = await from.reranker().doRerank({ query, passages, k: 2 }, {});
  return best.map(({ id }) => id);
};

/** What a server was sent: where, with what key, for what model. */
const received = ({ requests }: VllmServer) =>
  requests.map(({ path, headers, body }) => ({
    path,
    authorization: headers.authorization,
    model: body.model,
    truncate: body.truncate_prompt_tokens,
  }));

test("each part asks its own server, with its own key, model and truncation", async () => {
  await using embedder = await modelServer("e5");
  await using reranker = await modelServer("bge");
  await using scorer = await modelServer("qwen");
  await using counter = await modelServer("llama");
  const given = servers({
    embedder: {
      url: embedder.baseUrl,
      model: "e5",
      keyVariable: "E_KEY",
      truncatePromptTokens: 64,
      batchSize: 2,
    },
    reranker: { url: reranker.baseUrl, model: "bge", keyVariable: "R_KEY" },
    pairScorer: { url: scorer.baseUrl, model: "qwen", truncatePromptTokens: -1 },
    tokenizer: { url: counter.baseUrl, model: "llama", keyVariable: "T_KEY" },
  });
  const environment = { E_KEY: "e-key", R_KEY: "r-key", T_KEY: "t-key" };
  const from = parts({ servers: given, environment });

  const { vectors } = await from.embedder().doEmbed(["one", "two", "three"]);
  expect(vectors).toHaveLength(3);
  expect(await ranked(from)).toEqual(["light", "bread"]);
  const { scores } = await from.pairScorer().doScore({ query, documents: ["one", "two"] });
  expect(scores).toHaveLength(2);
  expect(await from.tokenizer().countTokens(["one two"])).toEqual([2]);

  const embedding = {
    path: "/v1/embeddings",
    authorization: "Bearer e-key",
    model: "e5",
    truncate: 64,
  };
  expect(received(embedder)).toEqual([embedding, embedding]);
  expect(received(reranker)).toEqual([
    { path: "/v1/rerank", authorization: "Bearer r-key", model: "bge" },
  ]);
  expect(received(scorer)).toEqual([{ path: "/v1/score", model: "qwen", truncate: -1 }]);
  expect(received(counter)).toEqual([
    { path: "/tokenize", authorization: "Bearer t-key", model: "llama" },
  ]);
  expect(from.mocks()).toEqual([]);
});

test.each<[part: string, ask: (from: Parts, word: string) => Promise<unknown>]>([
  ["embedder", (from, word) => from.embedder().doEmbed([word])],
  ["pairScorer", (from, word) => from.pairScorer().doScore({ query, documents: [word] })],
  ["reranker", (from, word) => from.reranker().doRerank({ query: word, passages, k: 1 }, {})],
  ["tokenizer", (from, word) => from.tokenizer().countTokens([word])],
])("no more requests are in flight at the %s than its entry allows", async (part, ask) => {
  await using server = await modelServer("m", { latencyMs: 5 });
  const entry = { url: server.baseUrl, model: "m", concurrency: 2 };
  const from = parts({ servers: servers({ [part]: entry }), concurrency: 16 });
  await Promise.all(Array.from({ length: 8 }, (_, index) => ask(from, `word ${index}`)));
  expect(server.requests).toHaveLength(8);
  expect(server.maxInFlight).toBe(2);
});

test("an entry without a limit has the command's", async () => {
  await using server = await modelServer("m", { latencyMs: 5 });
  const entry = { url: server.baseUrl, model: "m", batchSize: 1 };
  const from = parts({ servers: servers({ embedder: entry }), concurrency: 3 });
  await Promise.all(["a", "b", "c", "d", "e", "f"].map((text) => from.embedder().doEmbed([text])));
  expect(server.maxInFlight).toBe(3);
});

describe("the reranker", () => {
  const at = (server: VllmServer) => ({ url: server.baseUrl, model: "m" });

  test("is the file's reranker, also where a pair scorer is named", async () => {
    await using server = await modelServer("m");
    const from = parts({ servers: servers({ reranker: at(server), pairScorer: at(server) }) });
    expect(await ranked(from)).toEqual(["light", "bread"]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/rerank"]);
  });

  test("is else the pair scorer, which reads query and passage as they are", async () => {
    await using server = await modelServer("m");
    const from = parts({ servers: servers({ pairScorer: at(server) }) });
    expect(await ranked(from)).toEqual(["light", "bread"]);
    const texts = passages.map(({ text }) => text);
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { text_1: query, text_2: texts },
    ]);
  });

  test("puts the instruction into the template of Qwen3-Reranker", async () => {
    await using server = await modelServer("m");
    const pairScorer = { ...at(server), template: "qwen3-reranker" };
    const from = parts({ servers: servers({ pairScorer }) });
    const reranker = from.reranker({ instruction: "Find what answers." });
    await reranker.doRerank({ query, passages, k: 1 }, {});
    const [request] = server.requests;
    expect(request?.path).toBe("/v1/score");
    expect(request?.body).not.toHaveProperty("template");
    expect(request?.body.text_1).toContain(`<Instruct>: Find what answers.\n<Query>: ${query}`);
  });

  test("may be an LM that says yes: the run lends it under the name that the parts tell", async () => {
    await using server = await modelServer("m");
    server.always(
      chatPath,
      chat(({ body }) => ({
        content: JSON.stringify(body.messages).includes("western pier") ? "yes" : "no",
      })),
    );
    await using lm = connect({ baseUrl: server.baseUrl, model: "m" });
    const small = { url: server.baseUrl, model: "m" };
    const from = parts({ servers: servers({ lms: { small }, reranker: { lm: "small" } }) });
    expect(from.lms()).toEqual({});
    const reranker = from.reranker({ instruction: "Does it answer?" });
    expect(from.lms()).toEqual({ [reranker.name]: "small" });
    const best = await reranker.doRerank({ query, passages, k: 2 }, { lm });
    expect(best.map(({ id }) => id)).toEqual(["light", "bread"]);
    expect(server.requests[0]?.body.messages[0].content).toMatch(/^Does it answer\?/);
  });
});

describe("the tokenizer", () => {
  test("is that of the LM that answers, with its key and limit", async () => {
    await using server = await modelServer("big", { latencyMs: 5 });
    const answer = { url: server.baseUrl, model: "big", apiKey: "a-key", concurrency: 2 };
    const from = parts({ answer, concurrency: 16 });
    expect(from.has("tokenizer")).toBe(true);
    expect(await from.tokenizer().countTokens(["a", "b c", "d e f", "g"])).toEqual([1, 2, 3, 1]);
    expect(received(server)[0]).toEqual({
      path: "/tokenize",
      authorization: "Bearer a-key",
      model: "big",
    });
    expect(server.maxInFlight).toBe(2);
  });

  test("is another LM's where the file names one, at the first of its servers", async () => {
    await using server = await modelServer("small");
    const small = {
      url: [server.baseUrl, "http://127.0.0.1:1/v1"],
      model: "small",
      keyVariable: "SMALL_KEY",
    };
    const from = parts({
      servers: servers({ lms: { small }, tokenizer: "small" }),
      answer: { url: "http://127.0.0.1:1/v1", model: "big" },
      environment: { SMALL_KEY: "s-key" },
    });
    expect(await from.tokenizer().countTokens(["one two"])).toEqual([2]);
    expect(received(server)).toEqual([
      { path: "/tokenize", authorization: "Bearer s-key", model: "small" },
    ]);
  });

  test("estimates where the file asks for a mock, though an LM answers", async () => {
    const answer = { url: "http://127.0.0.1:1/v1", model: "big" };
    const from = parts({ servers: servers({ tokenizer: "rehearsal" }), answer });
    expect(from.has("tokenizer")).toBe(false);
    const [count = 0] = await from.tokenizer().countTokens(["one two three"]);
    expect(count).toBeGreaterThan(0);
    expect(from.mocks()).toMatchObject([{ part: "tokenizer" }]);
  });
});

describe("the search engine", () => {
  const found = [{ id: "d1", text: "There.", url: "https://a.example/1" }];

  test("is asked with its key in its header, and its parameters", async () => {
    await using server = await searchServer(() => found);
    const search = {
      url: server.url,
      keyVariable: "S_KEY",
      keyHeader: "x-search-token",
      queryParameter: "q",
      countParameter: "n",
      parameters: { corpus: "b" },
    };
    const from = parts({ servers: servers({ search }), environment: { S_KEY: "s-key" } });
    expect(from.has("search")).toBe(true);
    expect(await from.search()?.doRetrieve({ query: "Where?", k: 3 }, {})).toHaveLength(1);
    expect(server.received).toMatchObject([
      { headers: { "x-search-token": "s-key" }, parameters: { q: "Where?", n: "3", corpus: "b" } },
    ]);
  });

  test("gets no key where none is named, and is absent where the file has none", async () => {
    await using server = await searchServer(() => found);
    const from = parts({ servers: servers({ search: { url: server.url } }) });
    await from.search()?.doRetrieve({ query: "Where?", k: 3 }, {});
    expect(server.received[0]?.headers).not.toHaveProperty("x-api-key");
    expect(parts().has("search")).toBe(false);
    expect(parts({ fillsGaps: true }).search()).toBeUndefined();
  });
});

const metricOf = (name: string): Metric<unknown, unknown, unknown> =>
  metric({ name, version: "1", score: () => scored(1) });
const choice = { metric: () => metricOf("judged"), mock: () => metricOf("lexical-quality") };

const takes: readonly (readonly [part: string, take: (from: Parts) => unknown, advice: string])[] =
  [
    ["embedder", (from) => from.embedder(), '"embedder": { "url": '],
    ["pairScorer", (from) => from.pairScorer(), '"pairScorer": { "url": '],
    ["reranker", (from) => from.reranker(), '"reranker": { "url": '],
    ["tokenizer", (from) => from.tokenizer(), '"tokenizer": "NAME"'],
    ["judgeLm", (from) => from.judged(choice), '"roles": { "judge": "NAME" }'],
  ];

test.each(takes)(
  "a missing %s is refused, and the error says what to write",
  async (_, take, advice) => {
    const { code, message } = await thrownBy(() => take(parts({ mockModels })));
    expect(code).toBe("part-missing");
    expect(message).toContain(advice);
    expect(message).toContain("espalier.servers.json");
    expect(message).toContain("--rehearsal");
  },
);

test("a local embedder plays the part where the file names one, and must be brought", async () => {
  const given = servers({ embedder: "local:minilm-l6" });
  const embedder = rehearsalEmbedder();
  const localEmbedder = () => embedder;
  const from = parts({ servers: given, localEmbedder });
  expect(from.has("embedder")).toBe(true);
  expect(from.embedder()).toBe(embedder);
  const { code, message } = await thrownBy(() => parts({ servers: given }).embedder());
  expect(code).toBe("part-missing");
  expect(message).toContain("connectLocalEmbedder()");
  expect(() => parts({ localEmbedder }).embedder()).toThrow("needs an embedder");
});

test.each(["embedder", "reranker", "pairScorer", "tokenizer", "search"] as const)(
  "the key of the %s must be set as soon as the part is taken, and no sooner",
  async (part) => {
    const url = "http://127.0.0.1:1/v1";
    const model = part === "search" ? {} : { model: "m" };
    const given = servers({ [part]: { url, ...model, keyVariable: "A_KEY" } });
    const from = parts({ servers: given, environment: { A_KEY: "" } });
    expect(from.has(part)).toBe(true);
    const { code, message } = await thrownBy(() => from[part]());
    expect(code).toBe("key-missing");
    expect(message).toContain(`The key for ${part} is not set`);
    expect(message).toContain("A_KEY");
  },
);

describe("mocks", () => {
  test("play what is taken and missing, each once, and are remembered when they are taken", () => {
    const from = parts({ fillsGaps: true, mockModels, judge: "rehearsal" });
    expect(from.mocks()).toEqual([]);
    expect(from.embedder()).toBe(from.embedder());
    expect(from.mocks()).toEqual([{ part: "embedder", provider: "rehearsal", model: "rehearsal" }]);
    for (const [, take] of takes) take(from);
    expect(from.mocks()).toMatchObject([
      { part: "embedder" },
      { part: "pairScorer", provider: "rehearsal" },
      { part: "reranker", provider: "espalier", model: "lexical" },
      { part: "tokenizer" },
      { part: "judgeLm", provider: "espalier", model: "lexical-quality" },
    ]);
    for (const part of ["embedder", "pairScorer", "reranker", "tokenizer", "judgeLm"] as const) {
      expect(from.has(part)).toBe(false);
    }
  });

  test("play single parts where the file asks for them, and the program says who ranks", () => {
    const from = parts({ servers: servers({ reranker: "rehearsal" }), mockModels });
    const ranker = lexicalReranker({ name: "by-words" });
    expect(from.reranker({ mock: () => ranker })).toBe(ranker);
    expect(from.mocks()).toEqual([{ part: "reranker", provider: "espalier", model: "by-words" }]);
    expect(() => from.embedder()).toThrow("needs an embedder");
  });

  test("a marked reranker is no server, though a pair scorer is", () => {
    const pairScorer = { url: "http://127.0.0.1:1/v1", model: "m" };
    const given = servers({ pairScorer, reranker: "rehearsal" });
    expect(parts({ servers: given }).has("reranker")).toBe(false);
    expect(parts({ servers: servers({ pairScorer }) }).has("reranker")).toBe(true);
  });

  test("are found behind a URL by the name of the rehearsal model", () => {
    const rehearsal = { url: "http://127.0.0.1:1/v1", model: "rehearsal" };
    const from = parts({ servers: servers({ embedder: rehearsal, tokenizer: rehearsal }) });
    from.embedder();
    from.tokenizer();
    expect(from.mocks()).toEqual([
      { part: "embedder", provider: "vllm", model: "rehearsal" },
      { part: "tokenizer", provider: "vllm", model: "rehearsal" },
    ]);
  });

  test("need their package only where one of its models is to play", async () => {
    const from = parts({ fillsGaps: true });
    expect(from.tokenizer().identity.provider).not.toBe("rehearsal");
    const { code, message } = await thrownBy(() => from.embedder());
    expect(code).toBe("part-missing");
    expect(message).toContain("npm install --save-dev @espalier/rehearsal");
  });
});

test("a metric asks the judge LM where a real one judges, and no model where none does", () => {
  const judged = parts({ judge: "server" });
  expect(judged.has("judgeLm")).toBe(true);
  expect(judged.judged(choice).name).toBe("judged");
  expect(judged.mocks()).toEqual([]);
  // The LM itself was asked for by name: no other part must be.
  const rehearsed = parts({ judge: "rehearsal" });
  expect(rehearsed.judged(choice).name).toBe("lexical-quality");
  expect(rehearsed.mocks()).toMatchObject([{ part: "judgeLm" }]);
});
