import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Embedder, Passage } from "../../../src/index.ts";
import type { IndexProgress } from "../../../src/retrieval/index.ts";
import { postgresIndex } from "../src/index.ts";
import { plainPostgres, vectorPostgres } from "./support/postgres-programs.ts";
import type { PostgresServer } from "./support/postgres-server.ts";
import { postgresServer } from "./support/postgres-server.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";
import { questions, shelf } from "../../../test/retrieval/shelf.ts";
import { manyPassages } from "../../../test/retrieval/many-passages.ts";

const plain = await plainPostgres();
const withVectors = await vectorPostgres();

/** Random but repeatable directions, one per text. */
function countingEmbedder({ failsAfter = Number.POSITIVE_INFINITY } = {}): Embedder & {
  readonly texts: readonly string[];
} {
  const texts: string[] = [];
  return {
    texts,
    identity: { provider: "test", model: "directions" },
    doEmbed: async (given) => {
      if (texts.length >= failsAfter) throw new Error("no more vectors");
      texts.push(...given);
      return { vectors: given.map(direction), usage: { promptTokens: 0 } };
    },
  };
}

function direction(text: string): Float32Array {
  let state = Buffer.from(text).reduce((hash, byte) => (hash * 31 + byte) >>> 0, 7);
  return Float32Array.from({ length: 16 }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

describe.skipIf(plain.isAbsent)(`an index in PostgreSQL${plain.note}`, () => {
  let server: PostgresServer;
  let url = "";
  let databases = 0;
  beforeAll(async () => {
    server = await postgresServer(plain.folder);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    url = await server.database(`build_${databases++}`);
  });

  it("goes on after the last whole block where a killed build ended", async () => {
    const child = spawn(
      process.execPath,
      [
        "--import=tsx",
        "--conditions=espalier:source",
        resolve(import.meta.dirname, "build-many-passages.ts"),
        url,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const ended = once(child, "exit");
    for await (const chunk of child.stdout) {
      if (String(chunk).includes("block 2")) break;
    }
    child.kill("SIGKILL");
    await ended;

    const unfinished = await thrownBy(() => postgresIndex({ url }));
    expect(unfinished).toMatchObject({ code: "index-unusable" });
    const started: number[] = [];
    await using index = await postgresIndex({
      url,
      corpus: manyPassages(),
      onProgress: ({ done }) => started.push(done),
    });
    expect(started[0]).toBeGreaterThanOrEqual(16_384);
    await using fresh = await postgresIndex({ url, schema: "fresh", corpus: manyPassages() });
    for (const query of ["harbour17", "brick3 harbour40000", "common salt2"]) {
      const found = await index.doRetrieve({ query, k: 50 }, {});
      expect(found).toEqual(await fresh.doRetrieve({ query, k: 50 }, {}));
      expect(found.length).toBeGreaterThan(0);
    }
  });

  it("is built once by two that open it together", async () => {
    const built: string[] = [];
    const open = (name: string) =>
      postgresIndex({ url, corpus: shelf, onProgress: () => built.push(name) });
    await using first = await open("first");
    const [second, third] = await Promise.all([
      postgresIndex({
        url,
        schema: "other",
        corpus: shelf,
        onProgress: () => built.push("second"),
      }),
      postgresIndex({ url, schema: "other", corpus: shelf, onProgress: () => built.push("third") }),
    ]);
    await using _second = second;
    await using _third = third;
    expect(first.size).toBe(28);
    expect(new Set(built).size).toBe(2);
    expect(await second.doRetrieve({ query: questions[0], k: 5 }, {})).toEqual(
      await third.doRetrieve({ query: questions[0], k: 5 }, {}),
    );
  });

  it("is used unchanged with the same corpus, also by a user who may only read", async () => {
    await (await postgresIndex({ url, corpus: shelf }))[Symbol.asyncDispose]();
    await server.run(
      `CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA espalier TO reader;
       GRANT SELECT ON ALL TABLES IN SCHEMA espalier TO reader`,
      url,
    );
    const seen: IndexProgress[] = [];
    await using index = await postgresIndex({
      url: url.replace("espalier@", "reader@"),
      corpus: shelf.toReversed(),
      onProgress: (progress) => seen.push(progress),
    });
    expect(seen).toEqual([]);
    expect(await index.doRetrieve({ query: questions[0], k: 1 }, {})).toHaveLength(1);
    await expect(
      thrownBy(() =>
        postgresIndex({ url: url.replace("espalier@", "reader@"), schema: "mine", corpus: shelf }),
      ),
    ).resolves.toMatchObject({ code: "search-refused" });
  });

  it("refuses another corpus, and an empty schema without one", async () => {
    await (await postgresIndex({ url, corpus: shelf }))[Symbol.asyncDispose]();
    const other = await thrownBy(() => postgresIndex({ url, corpus: shelf.slice(1) }));
    expect(other).toMatchObject({ code: "index-unusable" });
    expect((other as Error).message).toContain("the index of another corpus");
    const empty = await thrownBy(() => postgresIndex({ url, schema: "empty" }));
    expect((empty as Error).message).toContain("Got: nothing");
  });

  it("returns titles, texts and metadata as they were, but for NUL", async () => {
    const odd: readonly Passage[] = [
      {
        id: "a\\b",
        title: '"{,}\\',
        text: 'harbour {"\\,} 🗼\nline',
        metadata: { z: 1, a: [null, "\\u0000"] },
      },
      { id: "b", text: "harbour \0 nul", metadata: { text: "\0 and \ud800" } },
    ];
    await using index = await postgresIndex({ url, corpus: odd });
    const found = await index.doRetrieve({ query: "harbour", k: 5 }, {});
    const byId = new Map(found.map((passage) => [passage.id, passage]));
    expect(byId.get("a\\b")).toMatchObject(odd[0] ?? {});
    expect(Object.keys(byId.get("a\\b")?.metadata ?? {})).toEqual(["z", "a"]);
    expect(byId.get("b")).toMatchObject({
      id: "b",
      text: "harbour \uFFFD nul",
      metadata: { text: "\uFFFD and \uFFFD" },
    });
  });

  it("finds only passages whose metadata contain the filter", async () => {
    const corpus = shelf.map((passage, index) => ({
      ...passage,
      metadata: { collection: index % 2 === 0 ? "even" : "odd", part: { number: index } },
    }));
    await using index = await postgresIndex({ url, corpus });
    const query = "the long winters of the harbour town";
    const all = await index.doRetrieve({ query, k: 50 }, {});
    for (const collection of ["even", "odd"]) {
      const part = index.retriever({ filter: { collection } });
      const wanted = all.filter(({ metadata }) => metadata?.["collection"] === collection);
      expect(wanted.length).toBeGreaterThan(2);
      expect(await part.doRetrieve({ query, k: 50 }, {})).toEqual(wanted);
      expect(part.version).not.toBe(index.version);
    }
    const nested = index.retriever({ filter: { part: { number: 4 } } });
    expect(await nested.doRetrieve({ query, k: 5 }, {})).toHaveLength(1);
  });
});

describe.skipIf(withVectors.isAbsent)(`vectors in PostgreSQL${withVectors.note}`, () => {
  let server: PostgresServer;
  let schemas = 0;
  const place = () => ({ url: server.url, schema: `vectors ${schemas++}`, corpus: shelf });
  beforeAll(async () => {
    server = await postgresServer(withVectors.folder);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("are asked for once, whatever ends a build, and once for each query", async () => {
    const given = { ...place(), batchSize: 2, concurrency: 1 };
    const failing = countingEmbedder({ failsAfter: 8 });
    await expect(postgresIndex({ ...given, embedder: failing })).rejects.toThrow("no more vectors");
    const rest = countingEmbedder();
    {
      await using index = await postgresIndex({ ...given, embedder: rest });
      await index.doRetrieve({ query: "salt", k: 3 }, {});
      await index.doRetrieve({ query: "salt", k: 5 }, {});
    }
    const documents = [...failing.texts, ...rest.texts].filter((each) => each !== "salt");
    expect(new Set(documents).size).toBe(documents.length);
    expect(failing.texts).toHaveLength(8);
    expect(rest.texts.filter((each) => each === "salt")).toHaveLength(1);
    const later = countingEmbedder();
    await using again = await postgresIndex({ ...given, embedder: later });
    expect(await again.doRetrieve({ query: "salt", k: 3 }, {})).toHaveLength(3);
    expect(later.texts).toEqual([]);
  });

  it("are found through a graph nearly as without one", async () => {
    const corpus = manyPassages().slice(0, 6_000);
    const given = { ...place(), corpus, embedder: countingEmbedder(), batchSize: 500 };
    const seen = new Set<string>();
    await using index = await postgresIndex({
      ...given,
      onProgress: ({ step }) => seen.add(step),
    });
    expect([...seen]).toEqual(["index", "embed", "link"]);
    const later = countingEmbedder();
    await using exact = await postgresIndex({ ...given, embedder: later, neighbours: "exact" });
    expect(later.texts).toEqual([]);
    const [plan] = await server.run(
      `EXPLAIN (FORMAT JSON) SELECT passage FROM "${given.schema}".vectors_1
       ORDER BY vector <=> '[${direction("salt").join(",")}]', passage LIMIT 10`,
    );
    expect(JSON.stringify(plan)).toContain("hnsw_cosine");
    let shared = 0;
    const queries = Array.from({ length: 20 }, (_, number) => `query ${number}`);
    for (const query of queries) {
      const near = await index.retriever({ by: "dense" }).doRetrieve({ query, k: 10 }, {});
      const nearest = await exact.retriever({ by: "dense" }).doRetrieve({ query, k: 10 }, {});
      const ids = new Set(near.map(({ id }) => id));
      shared += nearest.filter(({ id }) => ids.has(id)).length;
    }
    expect(shared / (10 * queries.length)).toBeGreaterThan(0.9);
  });
});
