import { describe, expect, it } from "vitest";
import { embedder, pairScorer, reranker } from "../../../src/lm/index.ts";
import type { Answer } from "../../support/vllm-server.ts";
import { json, refuse, vllmServer } from "../../support/vllm-server.ts";

/** The vector of a text: its length, and a fraction that 32 bits hold exactly. */
const vectorOf = (text: string): number[] => [text.length, 0.125, -2];

const embeddings: Answer = (request, response) => {
  const { input, encoding_format: encoding, model } = request.body;
  const data = input.map((text: string, index: number) => {
    const vector = vectorOf(text);
    const bytes = Buffer.alloc(vector.length * 4);
    for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
    return {
      index,
      object: "embedding",
      embedding: encoding === "base64" ? bytes.toString("base64") : vector,
    };
  });
  const usage = { prompt_tokens: input.length, total_tokens: input.length };
  // Not in the order sent: only the index tells which is which.
  json({ object: "list", model, data: data.toReversed(), usage })(request, response);
};

describe("an embedder", () => {
  it.each(["base64", "float"] as const)(
    "returns vectors in order, from batches: %s",
    async (encoding) => {
      await using server = await vllmServer();
      server.always("/v1/embeddings", embeddings);
      const model = embedder({ baseUrl: server.baseUrl, model: "e", batchSize: 2, encoding });
      const texts = ["a", "bb", "ccc", "dddd", "eeeee"];
      const { vectors, usage } = await model.doEmbed(texts);
      expect(vectors.map((vector) => [...vector])).toEqual(texts.map(vectorOf));
      expect(vectors[0]).toBeInstanceOf(Float32Array);
      expect(usage).toEqual({ promptTokens: 5 });
      expect(server.requests.map(({ body }) => body.input.length)).toEqual([2, 2, 1]);
    },
  );

  it("refuses a reply with a vector too few", async () => {
    await using server = await vllmServer();
    const data = [{ index: 0, embedding: [1] }];
    server.always("/v1/embeddings", json({ data, usage: { prompt_tokens: 1 } }));
    const model = embedder({ baseUrl: server.baseUrl, model: "e" });
    await expect(model.doEmbed(["a", "b"])).rejects.toMatchObject({ code: "lm-bad-envelope" });
  });

  it("passes on refusals and aborts as a language model does", async () => {
    await using server = await vllmServer();
    server.always("/v1/embeddings", refuse(404, "The model `e` does not exist."));
    const model = embedder({ baseUrl: server.baseUrl, model: "e" });
    await expect(model.doEmbed(["a"])).rejects.toMatchObject({
      code: "lm-not-found",
      report: { fix: "The server offers `test-model`." },
    });
    const reason = new Error("enough");
    const aborted = model.doEmbed(["a"], { signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
  });

  it("asks nothing for no texts", async () => {
    const model = embedder({ baseUrl: "http://127.0.0.1:1/v1", model: "e" });
    expect((await model.doEmbed([])).vectors).toEqual([]);
  });
});

const ranking: Answer = json({
  id: "rerank-1",
  model: "r",
  usage: { total_tokens: 12 },
  results: [
    { index: 2, document: { text: "c" }, relevance_score: 0.5 },
    { index: 1, document: { text: "b" }, relevance_score: 0.9 },
    { index: 0, document: { text: "a" }, relevance_score: 0.5 },
  ],
});

describe("a reranker", () => {
  it("returns all documents best first, ties in the order sent", async () => {
    await using server = await vllmServer();
    server.always("/v1/rerank", ranking);
    const model = reranker({ baseUrl: server.baseUrl, model: "r" });
    const reply = await model.doRerank({ query: "q", documents: ["a", "b", "c"] });
    expect(reply).toEqual({
      results: [
        { index: 1, score: 0.9 },
        { index: 0, score: 0.5 },
        { index: 2, score: 0.5 },
      ],
      usage: { promptTokens: 12 },
    });
    expect(server.requests[0]?.body).toEqual({
      model: "r",
      query: "q",
      documents: ["a", "b", "c"],
      top_n: 3,
    });
  });

  it("returns the best so many", async () => {
    await using server = await vllmServer();
    server.always("/v1/rerank", ranking);
    const model = reranker({ baseUrl: server.baseUrl, model: "r" });
    const { results } = await model.doRerank({ query: "q", documents: ["a", "b", "c"], topN: 2 });
    expect(results.map(({ index }) => index)).toEqual([1, 0]);
  });
});

describe("a pair scorer", () => {
  it("returns one score per document in the order sent", async () => {
    await using server = await vllmServer();
    const data = [
      { index: 1, object: "score", score: 0.25 },
      { index: 0, object: "score", score: 0.75 },
    ];
    server.always("/v1/score", json({ data, usage: { prompt_tokens: 4, total_tokens: 4 } }));
    const model = pairScorer({ baseUrl: server.baseUrl, model: "s" });
    expect(await model.doScore({ query: "q", documents: ["a", "b"] })).toEqual({
      scores: [0.75, 0.25],
      usage: { promptTokens: 4 },
    });
    expect(server.requests[0]?.body).toEqual({ model: "s", text_1: "q", text_2: ["a", "b"] });
  });
});
