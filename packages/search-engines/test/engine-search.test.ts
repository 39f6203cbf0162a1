import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/index.ts";
import { embedder } from "../../../src/lm/index.ts";
import { bm25Index, denseIndex } from "../../../src/retrieval/index.ts";
import { elasticsearchSearch, qdrantSearch } from "../src/index.ts";
import { serveRehearsal } from "@espalier/rehearsal";
import { searchServer } from "../../../test/support/search-server.ts";
import { retrieverContract } from "../../../test/retrieval/retriever.contract.ts";
import { shelf } from "../../../test/retrieval/shelf.ts";

// These exchanges are written from the engines' documentation; no real server was run.

retrieverContract("Elasticsearch, as its documentation says it answers", async () => {
  const stack = new AsyncDisposableStack();
  const index = stack.use(await bm25Index({ corpus: shelf }));
  const server = stack.use(
    await searchServer(async ({ body }) => {
      const { size, query } = JSON.parse(body) as {
        readonly size: number;
        readonly query: {
          readonly bool: { readonly must: [{ readonly multi_match: { readonly query: string } }] };
        };
      };
      const asked = { query: query.bool.must[0].multi_match.query, k: size };
      const hits = (await index.doRetrieve(asked, {})).map(
        ({ id, score, title, text, metadata }) => ({
          _index: "towns",
          _id: id,
          _score: score,
          _source: { ...(title === undefined ? {} : { title }), text, ...metadata },
        }),
      );
      const max = hits[0]?._score ?? null;
      return {
        body: JSON.stringify({ took: 2, timed_out: false, hits: { max_score: max, hits } }),
      };
    }),
  );
  return {
    retriever: elasticsearchSearch({ url: new URL(server.url).origin, index: "towns" }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
});

retrieverContract(
  "Qdrant, as its documentation says it answers",
  async () => {
    const stack = new AsyncDisposableStack();
    const models = stack.use(await serveRehearsal());
    const model = embedder({ baseUrl: `${models.url}/v1`, model: "rehearsal" });
    const vectorOf = new Map<string, string>();
    const index = stack.use(await denseIndex({ corpus: shelf, embedder: model }));
    const server = stack.use(
      await searchServer(async ({ body }) => {
        const { query, limit } = JSON.parse(body) as {
          readonly query: readonly number[];
          readonly limit: number;
        };
        const asked = vectorOf.get(query.join()) ?? "";
        const found = await index.doRetrieve({ query: asked, k: limit }, {});
        const points = found.map(({ id, score, title, text, metadata }, number) => ({
          id: number,
          version: 1,
          score,
          payload: { passage: id, ...(title === undefined ? {} : { title }), text, ...metadata },
        }));
        return { body: JSON.stringify({ result: { points }, status: "ok", time: 0.001 }) };
      }),
    );
    const noting: typeof model = {
      identity: model.identity,
      doEmbed: async (texts, options) => {
        const reply = await model.doEmbed(texts, options);
        for (const [at, text] of texts.entries()) {
          vectorOf.set(Array.from(reply.vectors[at] ?? []).join(), text);
        }
        return reply;
      },
    };
    return {
      retriever: qdrantSearch({
        url: new URL(server.url).origin,
        collection: "towns",
        idField: "passage",
        embedder: noting,
      }),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
  { unknownWords: "to a vector, some passage is always nearest" },
);

describe("an engine's query", () => {
  it("is Elasticsearch's, with a filter and a key", async () => {
    await using server = await searchServer(() => ({ body: '{"hits":{"hits":[]}}' }));
    const search = elasticsearchSearch({
      url: `${new URL(server.url).origin}/`,
      index: "towns of the coast",
      textField: "body",
      filter: { term: { collection: "harbours" } },
      headers: { authorization: "ApiKey secret" },
    });
    expect(await search.doRetrieve({ query: "salt", k: 7 }, {})).toEqual([]);
    const [{ method, path, headers, body } = { body: "null" }] = server.received;
    expect({ method, path }).toEqual({ method: "POST", path: "/towns%20of%20the%20coast/_search" });
    expect(headers?.authorization).toBe("ApiKey secret");
    expect(JSON.parse(body)).toEqual({
      size: 7,
      track_total_hits: false,
      query: {
        bool: {
          must: [
            { multi_match: { query: "salt", fields: ["title", "body"], type: "most_fields" } },
          ],
          filter: [{ term: { collection: "harbours" } }],
        },
      },
    });
  });

  it("is Qdrant's, with a filter and a vector's name", async () => {
    await using server = await searchServer(() => ({ body: '{"result":{"points":[]}}' }));
    const filter: JsonObject = { must: [{ key: "collection", match: { value: "harbours" } }] };
    const search = qdrantSearch({
      url: new URL(server.url).origin,
      collection: "towns",
      vectorName: "text",
      filter,
      embedder: {
        identity: { provider: "test", model: "one" },
        doEmbed: async () => ({
          vectors: [Float32Array.of(0.5, 0.25)],
          usage: { promptTokens: 0 },
        }),
      },
    });
    expect(await search.doRetrieve({ query: "salt", k: 7 }, {})).toEqual([]);
    const [{ path, body } = { body: "null" }] = server.received;
    expect(path).toBe("/collections/towns/points/query");
    expect(JSON.parse(body)).toEqual({
      query: [0.5, 0.25],
      limit: 7,
      with_payload: true,
      using: "text",
      filter,
    });
  });
});
