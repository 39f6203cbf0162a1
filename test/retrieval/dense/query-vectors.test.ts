import { spawn } from "node:child_process";
import { chmod, copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { Embedder } from "espalier";
import { connectEmbedder, embedder } from "espalier/lm";
import { rehearsalEmbedder, serveRehearsal } from "@espalier/rehearsal";
import type { DenseIndexOptions } from "espalier/retrieval";
import { denseIndex } from "espalier/retrieval";
import type { Answer } from "../../support/vllm-server.ts";
import { json, refuse, stall, vllmServer } from "../../support/vllm-server.ts";
import { until } from "../../lm/requests.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const repository = resolve(import.meta.dirname, "../../..");

/** "3 4" has the vector (3, 4). */
const written: Answer = (request, response) => {
  const data = request.body.input.map((text: string, index: number) => ({
    index,
    embedding: (text.match(/-?\d+/g) ?? []).map(Number),
  }));
  json({ data, usage: { prompt_tokens: data.length } })(request, response);
};

const corpus = [
  { id: "east", text: "10 0" },
  { id: "north", text: "0 10" },
];

async function shelf() {
  const server = await vllmServer();
  server.always("/v1/embeddings", written);
  const folder = await temporaryFolder();
  const path = join(folder.path, "index.sqlite");
  const model = embedder({ baseUrl: server.baseUrl, model: "plane", encoding: "float" });
  /** Queries that reached the server, in order. */
  const asked = (): string[] =>
    server.requests
      .flatMap(({ body }) => body.input as string[])
      .filter((text) => !corpus.some((passage) => text.endsWith(passage.text)));
  const open = (options: Partial<DenseIndexOptions> = {}) =>
    denseIndex({ path, corpus, embedder: model, ...options });
  return {
    server,
    path,
    model,
    asked,
    open,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

type Shelf = Awaited<ReturnType<typeof shelf>>;

/** Opens, searches one after the other, closes. */
async function searched(there: Shelf, queries: string[], options: Partial<DenseIndexOptions> = {}) {
  await using index = await there.open(options);
  const found: (string | undefined)[] = [];
  for (const query of queries) found.push((await index.doRetrieve({ query, k: 1 }, {}))[0]?.id);
  return found;
}

/** A process that searches the index at once for all queries, and then runs `after`. */
function searcher(there: Shelf, queries: readonly string[], { after = "", uid = -1 } = {}) {
  const child = spawn(
    process.execPath,
    [
      "--conditions=espalier:source",
      "--input-type=module",
      "--eval",
      `import { denseIndex } from "espalier/retrieval";
       import { embedder } from "espalier/lm";
       const model = embedder({ baseUrl: ${JSON.stringify(there.server.baseUrl)}, model: "plane", encoding: "float" });
       const index = await denseIndex({ path: ${JSON.stringify(there.path)}, embedder: model });
       const found = await Promise.all(${JSON.stringify(queries)}.map((query) => index.doRetrieve({ query, k: 1 }, {})));
       console.log(JSON.stringify(found.map(([first]) => first.id)));
       ${after}`,
    ],
    {
      cwd: repository,
      stdio: ["ignore", "pipe", "inherit"],
      ...(uid >= 0 ? { uid } : {}),
    },
  );
  return new Promise<{ stdout: string; end: number | string | null }>((done) => {
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.once("close", (code, signal) => done({ stdout: stdout.trim(), end: signal ?? code }));
  });
}

describe("the vector of a query", () => {
  it("is asked for once: not again in this index, nor when the file is opened again", async () => {
    await using there = await shelf();
    const queries = ["9 1", "1 9", "9 1", "1 9"];
    expect(await searched(there, queries)).toEqual(["east", "north", "east", "north"]);
    expect(await searched(there, queries)).toEqual(["east", "north", "east", "north"]);
    expect(there.asked()).toEqual(["9 1", "1 9"]);
  });

  it("serves every form of document of its embedder, and neither another embedder nor another prefix", async () => {
    await using there = await shelf();
    await searched(there, ["9 1"]);
    await searched(there, ["9 1"], { similarity: "inner-product", documentPrefix: "passage " });
    expect(there.asked()).toEqual(["9 1"]);
    await searched(there, ["9 1"], { queryPrefix: "query " });
    const other = { ...there.model, identity: { provider: "vllm", model: "other" } };
    await searched(there, ["9 1"], { embedder: other });
    expect(there.asked()).toEqual(["9 1", "query 9 1", "9 1"]);
  });

  it("is the same after the file as before it, to the last bit", async () => {
    await using there = await shelf();
    const scoresFor = async () => {
      await using index = await there.open();
      return await index.doRetrieve({ query: "1 3", k: 2 }, {});
    };
    expect(await scoresFor()).toEqual(await scoresFor());
    expect(there.asked()).toEqual(["1 3"]);
  });

  it("is asked for once by searches at the same time, and an abort of one harms no other", async () => {
    await using there = await shelf();
    await using index = await there.open();
    const controller = new AbortController();
    const reason = new Error("enough");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    there.server.script("/v1/embeddings", async (request, response) => {
      await released;
      await written(request, response);
    });
    const dropped = index.doRetrieve({ query: "9 1", k: 1 }, { signal: controller.signal });
    const others = [1, 2, 3].map((k) => index.doRetrieve({ query: "9 1", k }, {}));
    controller.abort(reason);
    await expect(dropped).rejects.toBe(reason);
    release();
    for (const found of await Promise.all(others)) expect(found[0]?.id).toBe("east");
    expect(there.asked()).toEqual(["9 1"]);
  });

  it("is asked for again after a failure, or when all who waited gave up", async () => {
    await using there = await shelf();
    await using index = await there.open();
    there.server.script("/v1/embeddings", refuse(500, "broken"), stall);
    const failing = index.doRetrieve({ query: "9 1", k: 1 }, {});
    await expect(failing).rejects.toMatchObject({ code: "lm-server-error" });
    const controller = new AbortController();
    const reason = new Error("enough");
    const stalled = index.doRetrieve({ query: "9 1", k: 1 }, { signal: controller.signal });
    await until(() => there.asked().length === 2);
    controller.abort(reason);
    await expect(stalled).rejects.toBe(reason);
    expect((await index.doRetrieve({ query: "9 1", k: 1 }, {}))[0]?.id).toBe("east");
  });

  it("comes from a server that fails every third call, and what came is never asked for again", async () => {
    await using folder = await temporaryFolder();
    const faults = { rateLimit: 0.1, serverError: 0.1, brokenEnvelope: 0.13 };
    await using server = await serveRehearsal({ faults, seed: 2 });
    const passages = Array.from({ length: 60 }, (_, index) => ({
      id: `p${index}`,
      text: `Passage ${index} is about town ${index % 7} and bridge ${index % 11}.`,
    }));
    const queries = Array.from({ length: 40 }, (_, index) => `Which bridge has town ${index}?`);
    const ranked = async (model: Embedder) => {
      const path = join(folder.path, `${model.identity.provider}.sqlite`);
      await using index = await denseIndex({
        path,
        corpus: passages,
        embedder: model,
        batchSize: 5,
      });
      return await Promise.all(
        queries.map(async (query) =>
          (await index.doRetrieve({ query, k: 5 }, {})).map(({ id }) => id),
        ),
      );
    };
    const model = connectEmbedder({
      baseUrl: `${server.url}/v1`,
      model: "rehearsal",
      retry: { baseDelayMs: 2, maxDelayMs: 10 },
    });
    const expected = await ranked(rehearsalEmbedder());
    expect(await ranked(model)).toEqual(expected);
    const { received, repeated } = server.calls().byEndpoint["POST /v1/embeddings"] ?? {};
    expect(received).toBeGreaterThan(12 + 40);
    expect(repeated).toBe(0);
    expect(await ranked(model)).toEqual(expected);
    expect(server.calls().total).toBe(received);
  });

  it("survives a kill right after the search that needed it", async () => {
    await using there = await shelf();
    await searched(there, []);
    const after = 'process.kill(process.pid, "SIGKILL");';
    const killed = await searcher(there, ["9 1", "1 9", "8 1"], { after });
    expect(killed.end).toBe("SIGKILL");
    expect(there.asked()).toHaveLength(3);
    expect(await searched(there, ["9 1", "1 9", "8 1"])).toEqual(["east", "north", "east"]);
    expect(there.asked()).toHaveLength(3);
  });

  it("is kept by processes that search the same file at the same time", async () => {
    await using there = await shelf();
    await searched(there, []);
    const queries = (first: number) =>
      Array.from({ length: 150 }, (_, index) => `${first + index} 1`);
    const ended = await Promise.all([searcher(there, queries(1)), searcher(there, queries(101))]);
    expect(ended.map(({ end }) => end)).toEqual([0, 0]);
    const asked = there.asked();
    expect(new Set(asked).size).toBe(250);
    await searched(there, queries(1));
    await searched(there, queries(101));
    expect(there.asked()).toHaveLength(asked.length);
  });

  it("gives way to later ones beyond the bound", async () => {
    await using there = await shelf();
    await searched(there, ["1 1", "2 1", "3 1", "4 1", "5 1"], { keptQueries: 3 });
    using database = new DatabaseSync(there.path);
    const count = () => database.prepare("SELECT count(*) AS rows FROM queries").get();
    expect(count()).toEqual({ rows: 3 });
    await searched(there, ["3 1", "4 1", "5 1"], { keptQueries: 3 });
    expect(there.asked()).toHaveLength(5);
    await searched(there, ["1 1"], { keptQueries: 3 });
    expect(there.asked()).toHaveLength(6);
    expect(count()).toEqual({ rows: 3 });
  });

  it("leaves no trace in the file when none may be kept", async () => {
    await using there = await shelf();
    await searched(there, ["9 1", "9 1"], { keptQueries: 0 });
    expect(there.asked()).toEqual(["9 1", "9 1"]);
    using database = new DatabaseSync(there.path);
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE name = 'queries'");
    expect(tables.all()).toEqual([]);
  });

  it("is found in a file that cannot be written; others are asked for and not kept", async () => {
    await using there = await shelf();
    await searched(there, ["9 1"]);
    const folder = join(there.path, "..");
    const locked = join(folder, "locked.sqlite");
    await copyFile(there.path, locked);
    await chmod(locked, 0o444);
    await chmod(folder, 0o555);
    // Root may write everywhere, so root searches as the user `nobody`.
    const uid = process.getuid?.() === 0 ? 65_534 : -1;
    const search = () => searcher({ ...there, path: locked }, ["9 1", "1 9"], { uid });
    expect(await search()).toEqual({ stdout: '["east","north"]', end: 0 });
    expect(await search()).toEqual({ stdout: '["east","north"]', end: 0 });
    await chmod(folder, 0o755);
    expect(there.asked()).toEqual(["9 1", "1 9", "1 9"]);
  });

  it.each([-1, 1.5])("cannot be kept up to a bound of %d", async (keptQueries) => {
    await using there = await shelf();
    await expect(there.open({ keptQueries })).rejects.toMatchObject({ code: "option-invalid" });
  });
});
