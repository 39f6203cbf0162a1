import { chownSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Embedder } from "../../../src/index.ts";
import { EspalierError } from "../../../src/index.ts";
import { postgresIndex } from "../src/index.ts";
import { certificates } from "../../../test/support/certificates.ts";
import { plainPostgres } from "./support/postgres-programs.ts";
import type { PostgresServer } from "./support/postgres-server.ts";
import { postgresServer } from "./support/postgres-server.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";
import { questions, shelf } from "../../../test/retrieval/shelf.ts";

const programs = await plainPostgres();
const password = "s3cret-pass:word";

describe.skipIf(programs.isAbsent)(`a connection to PostgreSQL${programs.note}`, () => {
  let server: PostgresServer;
  const withPassword = (given: string) =>
    server.url.replace("espalier@", `locked:${encodeURIComponent(given)}@`);
  beforeAll(async () => {
    server = await postgresServer(programs.folder, {
      settings: ["ssl = on"],
      access: [
        "hostssl all encrypted 127.0.0.1/32 trust",
        "hostnossl all encrypted 127.0.0.1/32 reject",
        "host all locked 127.0.0.1/32 scram-sha-256",
      ],
      prepare: (data) => {
        const { key, certificate } = certificates(data);
        // The server's user alone may read the key.
        for (const file of [key, certificate])
          chownSync(file, statSync(data).uid, statSync(data).gid);
      },
    });
    await server.run(
      `CREATE ROLE locked SUPERUSER LOGIN PASSWORD '${password}'; CREATE ROLE encrypted SUPERUSER LOGIN`,
    );
    await (await postgresIndex({ url: server.url, corpus: shelf }))[Symbol.asyncDispose]();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const search = async (url: string): Promise<number> => {
    await using index = await postgresIndex({ url, attempts: 1 });
    return (await index.doRetrieve({ query: questions[0], k: 3 }, {})).length;
  };

  it("takes a password from the URL, and shows it in no error", async () => {
    expect(await search(withPassword(password))).toBe(3);
    const wrong = await thrownBy(() => search(withPassword("wr0ng-pass:word")));
    expect(wrong).toMatchObject({ code: "search-refused" });
    expect(wrong.message).toContain("rejected the user or password");
    const down = await thrownBy(() =>
      search(withPassword(password).replace(`:${server.port}/`, ":1/")),
    );
    expect(down).toMatchObject({ code: "search-failed" });
    expect(down.message).toContain("postgres://127.0.0.1:1/postgres");
    for (const { message } of [wrong, down]) expect(message).not.toContain("pass:word");
  });

  it("is encrypted where the URL says so, and refuses a server that nobody vouches for", async () => {
    const encrypted = server.url.replace("espalier@", "encrypted@");
    await expect(thrownBy(() => search(encrypted))).resolves.toMatchObject({
      code: "search-refused",
    });
    const authority = join(server.folder, "data/authority.crt");
    expect(await search(`${encrypted}?sslmode=verify-full&sslrootcert=${authority}`)).toBe(3);
    const unknown = await thrownBy(() => search(`${encrypted}?sslmode=verify-full`));
    expect(unknown).toMatchObject({ code: "search-refused" });
    expect(unknown.message).toContain("TLS");
    const otherName = encrypted.replace("127.0.0.1", "localhost");
    const foreign = await thrownBy(() =>
      search(`${otherName}?sslmode=verify-full&sslrootcert=${authority}`),
    );
    expect(foreign).toMatchObject({ code: "search-refused" });
    expect(foreign.message).toContain("does not match certificate's altnames");
  });

  it("says that a server without TLS has none", async () => {
    const reload = (ssl: "on" | "off") =>
      server.run(`ALTER SYSTEM SET ssl = ${ssl}`).then(() => server.run("SELECT pg_reload_conf()"));
    const shown = async (): Promise<unknown> => (await server.run("SHOW ssl"))[0]?.["ssl"];
    await reload("off");
    try {
      await expect.poll(shown).toBe("off");
      const plain = await thrownBy(() => search(`${withPassword(password)}?sslmode=verify-full`));
      expect(plain).toMatchObject({ code: "search-refused" });
      expect(plain.message).toContain("The server does not support SSL connections");
      expect(plain.message).not.toContain("pass:word");
    } finally {
      await reload("on");
      await expect.poll(shown).toBe("on");
    }
  });

  it.each([
    [
      "a database that is not there",
      (url: string) => url.replace(/postgres$/, "nowhere"),
      "does not exist",
    ],
    ["a URL of another protocol", () => "http://user:s3cret@127.0.0.1/x", "such as `postgres://"],
  ])("names %s", async (_, change, words) => {
    const error = await thrownBy(() => search(change(server.url)));
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("s3cret");
    expect(error.kind).toBe("program");
  });

  it("says what a server without pgvector can do", async () => {
    const embedder: Embedder = {
      identity: { provider: "test", model: "none" },
      doEmbed: () => Promise.reject(new Error("asked in vain")),
    };
    const error = await thrownBy(() => postgresIndex({ url: server.url, embedder }));
    expect(error).toMatchObject({ code: "index-unusable" });
    expect(error.message).toContain("leave out `embedder` and use keyword search");
    await using index = await postgresIndex({ url: server.url });
    expect(() => index.retriever({ by: "dense" })).toThrow("opened with an `embedder`");
  });

  it("ends a search that takes too long, and one that is aborted, in the server as well", async () => {
    await using index = await postgresIndex({
      url: server.url,
      statementTimeoutMs: 200,
      attempts: 1,
    });
    await using patient = await postgresIndex({ url: server.url });
    const running = async (): Promise<number> => {
      const rows = await server.run(
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%asked AS MATERIALIZED%' AND pid <> pg_backend_pid()",
      );
      return rows.length;
    };
    const asked = { query: questions[0], k: 3 };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = lockPassages(server.url, locked.resolve, released);
    await locked.promise;
    try {
      const late = await thrownBy(() => index.doRetrieve(asked, {}));
      expect(late).toMatchObject({ code: "search-failed" });
      expect(late.message).toContain("did not answer within 200 ms");

      const controller = new AbortController();
      const reason = new Error("enough");
      const waiting = patient.doRetrieve(asked, { signal: controller.signal });
      await expect.poll(running).toBe(1);
      controller.abort(reason);
      await expect(waiting).rejects.toBe(reason);
      await expect.poll(running).toBe(0);
    } finally {
      release();
      await holding;
    }
    expect(await patient.doRetrieve(asked, {})).toHaveLength(3);
  });

  it("survives a restart of the server between and during searches", async () => {
    await using index = await postgresIndex({ url: server.url, attempts: 8 });
    const asked = { query: questions[0], k: 3 };
    const before = await index.doRetrieve(asked, {});
    await server.crash();
    const during = Promise.all([1, 2, 3].map(() => index.doRetrieve(asked, {})));
    await server.start();
    expect(await during).toEqual([before, before, before]);
    expect(await index.doRetrieve(asked, {})).toEqual(before);
    await using impatient = await postgresIndex({ url: server.url, attempts: 1 });
    await server.crash();
    const error = await thrownBy(() => impatient.doRetrieve(asked, {}));
    expect(EspalierError.isInstance(error) && error.kind).toBe("infrastructure");
    await server.start();
    expect(await impatient.doRetrieve(asked, {})).toEqual(before);
  });
});

/** Keeps every reader of passages waiting until `released`. */
async function lockPassages(
  url: string,
  locked: () => void,
  released: Promise<void>,
): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client(url);
  await client.connect();
  await client.query("BEGIN; LOCK TABLE espalier.passages IN ACCESS EXCLUSIVE MODE");
  locked();
  await released;
  await client.query("ROLLBACK");
  await client.end();
}
