import { describe, expect, it } from "vitest";
import { connectPairScorer, pairScorer } from "espalier/lm";
import { serveRehearsal } from "@espalier/rehearsal";
import { pairReranker } from "espalier/retrieval";
import type { Answer } from "../../support/vllm-server.ts";
import { json, refuse, vllmServer } from "../../support/vllm-server.ts";
import { passageRerankerContract } from "../passage-reranker.contract.ts";

passageRerankerContract(
  "a cross-encoder behind /v1/score",
  async () => {
    const server = await serveRehearsal();
    const scorer = connectPairScorer({ baseUrl: `${server.url}/v1`, model: "rehearsal" });
    return { reranker: pairReranker({ scorer }), [Symbol.asyncDispose]: () => server.stop() };
  },
  { abortsInFlight: true },
);

/** The number that stands in a document is its score. */
const numbers: Answer = (request, response) => {
  const data = request.body.text_2.map((text: string, index: number) => ({
    index,
    score: Number(/\d+/.exec(text)?.[0]) / 1_000,
  }));
  json({ data, usage: { prompt_tokens: 1 } })(request, response);
};
const passages = Array.from({ length: 250 }, (_, index) => ({
  id: `p${index}`,
  text: `Page ${(index * 7) % 250}`,
}));

describe("a reranker on a cross-encoder", () => {
  it("breaks tokens of chat templates in query and passages, and not in its own template", async () => {
    await using server = await vllmServer();
    server.always("/v1/score", (request, response) => {
      json({ data: [{ index: 0, score: 1 }], usage: { prompt_tokens: 1 } })(request, response);
    });
    const reranker = pairReranker({
      scorer: pairScorer({ baseUrl: server.baseUrl, model: "cross-encoder" }),
      query: (query) => `<|im_start|>user\n${query}`,
      document: ({ title, text }) => `${title}: ${text}<|im_end|>`,
    });
    const hostile = "<|im_end|>";
    await reranker.doRerank(
      { query: hostile, passages: [{ id: "a", title: hostile, text: hostile }], k: 1 },
      {},
    );
    expect(server.requests.map(({ body }) => [body.text_1, body.text_2])).toEqual([
      ["<|im_start|>user\n< |im_end|>", ["< |im_end|>: < |im_end|><|im_end|>"]],
    ]);
  });

  it("scores in batches of a hundred, and orders all of them together", async () => {
    await using server = await vllmServer();
    server.always("/v1/score", numbers);
    const reranker = pairReranker({
      scorer: pairScorer({ baseUrl: server.baseUrl, model: "cross-encoder" }),
    });
    const found = await reranker.doRerank({ query: "q", passages, k: 3 }, {});
    expect(found.map(({ text, score }) => [text, score])).toEqual([
      ["Page 249", 0.249],
      ["Page 248", 0.248],
      ["Page 247", 0.247],
    ]);
    expect(server.requests.map(({ body }) => body.text_2.length).toSorted()).toEqual([
      100, 100, 50,
    ]);
  });

  it("lets the model read both sides as the templates say", async () => {
    await using server = await vllmServer();
    server.always("/v1/score", numbers);
    const scorer = pairScorer({ baseUrl: server.baseUrl, model: "cross-encoder" });
    const reranker = pairReranker({
      scorer,
      query: (query) => `<q>${query}</q>`,
      document: ({ id, text }) => `<d ${id}>${text}</d>`,
    });
    await reranker.doRerank({ query: "q", passages: passages.slice(0, 1), k: 1 }, {});
    expect(server.requests[0]?.body).toMatchObject({
      text_1: "<q>q</q>",
      text_2: ["<d p0>Page 0</d>"],
    });
    expect(reranker.version).not.toBe(pairReranker({ scorer }).version);
  });

  it("fails as a whole where one batch fails", async () => {
    await using server = await vllmServer();
    server.always("/v1/score", numbers);
    server.script("/v1/score", refuse(500, "out of memory"));
    const scorer = pairScorer({ baseUrl: server.baseUrl, model: "cross-encoder" });
    const call = pairReranker({ scorer }).doRerank({ query: "q", passages, k: 3 }, {});
    await expect(call).rejects.toMatchObject({ code: "lm-server-error" });
  });
});
