import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { Embedder } from "espalier";
import type { IndexProgress } from "espalier/retrieval";
import { denseIndex } from "espalier/retrieval";
import { embedder } from "espalier/lm";
import { json, refuse, vllmServer } from "../../support/vllm-server.ts";
import type { Answer } from "../../support/vllm-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";

/** "3 4" has the vector (3, 4): texts say where they lie. */
const written: Answer = (request, response) => {
  const data = request.body.input.map((text: string, index: number) => ({
    index,
    embedding: (text.match(/-?\d+/g) ?? []).map(Number),
  }));
  const usage = { prompt_tokens: data.length, total_tokens: data.length };
  json({ object: "list", model: "plane", data, usage })(request, response);
};

const corpus = [
  { id: "e", text: "10 0" },
  { id: "a", text: "1 1" },
  { id: "c", text: "0 2" },
  { id: "b", text: "5 5" },
  { id: "d", text: "-3 -4" },
  { id: "blank", text: " \n" },
];

async function plane(answer: Answer = written) {
  const server = await vllmServer();
  server.always("/v1/embeddings", answer);
  const model = embedder({ baseUrl: server.baseUrl, model: "plane", encoding: "float" });
  const sent = () => server.requests.flatMap(({ body }) => body.input as string[]);
  return { server, model, sent, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("a dense index", () => {
  it("ranks by cosine, ties by id, and never finds a passage without text", async () => {
    await using there = await plane();
    await using index = await denseIndex({ corpus, embedder: there.model });
    expect(index).toMatchObject({ size: 5, dimension: 2 });
    const found = await index.doRetrieve({ query: "7 7", k: 10 }, {});
    expect(found.map(({ id }) => id)).toEqual(["a", "b", "c", "e", "d"]);
    const cosines = [1, 1, Math.SQRT1_2, Math.SQRT1_2, -7 / (5 * Math.SQRT2)];
    for (const [index, { score }] of found.entries()) expect(score).toBeCloseTo(cosines[index]!, 6);
    expect(there.sent()).not.toContain("");
  });

  it("ranks by inner product when asked", async () => {
    await using there = await plane();
    const similarity = "inner-product";
    await using index = await denseIndex({ corpus, embedder: there.model, similarity });
    const found = await index.doRetrieve({ query: "2 1", k: 10 }, {});
    expect(found.map(({ id, score }) => [id, score])).toEqual([
      ["e", 20],
      ["b", 15],
      ["a", 3],
      ["c", 2],
      ["d", -10],
    ]);
  });

  it("reads title and text up to its bound, and puts the prefixes before them", async () => {
    await using there = await plane();
    const passage = { id: "x", title: " 1 2", text: "\n🗼🗼🗼 and more " };
    await using index = await denseIndex({
      corpus: [passage],
      embedder: there.model,
      queryPrefix: "query: ",
      documentPrefix: "passage: ",
      maxCharacters: 6,
    });
    await index.doRetrieve({ query: "3 4", k: 1 }, {});
    expect(there.sent()).toEqual(["passage: 1 2\n🗼🗼", "query: 3 4"]);
  });

  it("embeds what is missing and nothing twice, after a failure and when opened again", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "index.sqlite");
    const many = Array.from({ length: 100 }, (_, index) => ({
      id: `p${index}`,
      text: `${index} 1`,
    }));
    await using there = await plane();
    const events: IndexProgress[] = [];
    const open = () =>
      denseIndex({
        path,
        corpus: many,
        embedder: there.model,
        batchSize: 10,
        concurrency: 1,
        onProgress: (event) => event.step === "embed" && events.push(event),
      });
    there.server.script("/v1/embeddings", ...Array<Answer>(4).fill(written), refuse(500, "broken"));
    await expect(open()).rejects.toMatchObject({ code: "lm-server-error" });
    expect(events.at(-1)).toEqual({ step: "embed", done: 40, total: 100 });
    const kept = new Set(there.sent().slice(0, 40));

    await (await open())[Symbol.asyncDispose]();
    expect(events.slice(5, 7).map(({ done }) => done)).toEqual([40, 50]);
    const later = there.sent().slice(50);
    expect(later).toHaveLength(60);
    expect(later.filter((text) => kept.has(text))).toEqual([]);

    await using _ = await open();
    expect(there.sent()).toHaveLength(110);
  });

  it("keeps the vectors of models and forms of document apart in one file", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "index.sqlite");
    await using there = await plane();
    const { model } = there;
    const other: Embedder = { ...model, identity: { provider: "vllm", model: "other" } };
    for (const options of [
      { embedder: model },
      { embedder: other },
      { embedder: model, documentPrefix: "passage: " },
      { embedder: model, maxCharacters: 100 },
      { embedder: model, queryPrefix: "q " },
    ]) {
      await (await denseIndex({ path, corpus, ...options }))[Symbol.asyncDispose]();
    }
    // The prefix of queries changes no document.
    expect(there.sent()).toHaveLength(4 * 5);
  });

  it("refuses vectors of another length than the file's, and says what to do", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "index.sqlite");
    await using there = await plane();
    await using index = await denseIndex({ path, corpus, embedder: there.model });
    const longer = { query: "1 2 3", k: 1 };
    const { code, message } = await thrownBy(() => index.doRetrieve(longer, {}));
    expect(`${code}: ${message}`).toMatchInlineSnapshot(
      `"embedding-invalid: The embedder returned vectors that cannot be used (at vllm, model \`plane\`). Expected: vectors of 2 numbers. Got: a vector of 3. If the server now serves another model under this name, rebuild everything that holds the old model's vectors, such as an index."`,
    );
  });

  it.each([
    ["none", []],
    ["vectors of two lengths", [[1], [1, 2]]],
    ["empty vectors", [[], []]],
    ["what is not a number", [[1], [Number.NaN]]],
  ])("refuses an embedder that returns %s", async (_, vectors) => {
    const broken: Embedder = {
      identity: { provider: "test", model: "broken" },
      doEmbed: async () => ({
        vectors: vectors.map((values) => Float32Array.from(values)),
        usage: { promptTokens: 0 },
      }),
    };
    const opening = denseIndex({ corpus: corpus.slice(0, 2), embedder: broken });
    await expect(opening).rejects.toMatchObject({ code: "embedding-invalid" });
  });

  it("refuses a corpus without any text", async () => {
    await using there = await plane();
    const opening = denseIndex({ corpus: [{ id: "a", text: " " }], embedder: there.model });
    await expect(opening).rejects.toMatchObject({ code: "corpus-invalid" });
  });

  it("stops embedding when its signal fires, and keeps what was embedded", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "index.sqlite");
    await using there = await plane();
    const controller = new AbortController();
    const reason = new Error("enough");
    const options = { path, corpus, embedder: there.model, batchSize: 1, concurrency: 1 };
    const opening = denseIndex({
      ...options,
      signal: controller.signal,
      onProgress: ({ step, done }) => step === "embed" && done === 3 && controller.abort(reason),
    });
    await expect(opening).rejects.toBe(reason);
    const sent = there.sent().length;
    await using index = await denseIndex(options);
    expect(there.sent().length - sent).toBe(index.size - 2);
  });
});

describe("an index file to which something else has written", () => {
  it.each([
    ["vectors SET vector = x'0000'", "passage number"],
    ["vectors SET vector = 'a text'", "passage number"],
    ["vectors SET vector = x'0000c07f0000c07f'", "passage number"],
    ["passages SET metadata = '[1]'", "passage.metadata: expected an object"],
    ["passages SET metadata = '{bad'", "passage.metadata: expected an object"],
    ["passages SET text = x'00'", "passage.text: expected a text"],
  ])("is refused with a code: %s", async (change, told) => {
    await using there = await plane();
    await using folder = await temporaryFolder();
    const path = join(folder.path, "index.sqlite");
    await (await denseIndex({ path, corpus, embedder: there.model }))[Symbol.asyncDispose]();
    {
      using other = new DatabaseSync(path);
      other.exec(`UPDATE ${change}`);
    }
    const error = await thrownBy(async () => {
      await using index = await denseIndex({ path, embedder: there.model });
      await index.doRetrieve({ query: "1 1", k: 3 }, {});
    });
    expect(error).toMatchObject({ code: "index-unusable" });
    expect(error.message).toContain(told);
  });

  it("gets a query's vector anew where the kept one is none", async () => {
    await using there = await plane();
    await using folder = await temporaryFolder();
    const path = join(folder.path, "index.sqlite");
    await using index = await denseIndex({ path, corpus, embedder: there.model });
    const search = () => index.doRetrieve({ query: "7 7", k: 3 }, {});
    const found = await search();
    {
      using other = new DatabaseSync(path);
      other.exec("UPDATE queries SET vector = x'000000'");
    }
    const asked = there.sent().length;
    expect(await search()).toEqual(found);
    expect(await search()).toEqual(found);
    expect(there.sent()).toHaveLength(asked + 1);
  });
});
