import type { Retriever } from "../../../../src/index.ts";
import { postgresIndex } from "../../src/index.ts";
import pg from "pg";
import type { PostgresServer } from "./postgres-server.ts";
import type { Contender } from "../../../../test/bench/support/retrieval/contender.ts";
import { inSeconds } from "../../../../test/bench/support/retrieval/contender.ts";

export function postgresContender(server: PostgresServer): Contender {
  const bytesOf = async (schema: string): Promise<number> => {
    const [row] = await server.run(
      `SELECT sum(pg_total_relation_size(pg_class.oid))::float8 AS bytes
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       WHERE nspname = '${schema}' AND relkind = 'r'`,
    );
    return Number(row?.["bytes"]);
  };
  return {
    name: "PostgreSQL",
    build: async ({ corpus, embedder, place: schema }) => {
      const given = { url: server.url, schema, corpus };
      const [keyword, keywordSeconds] = await inSeconds(() => postgresIndex(given));
      const keywordBytes = await bytesOf(schema);
      const built = { keywordSeconds, keywordBytes };
      if (embedder === undefined) {
        return {
          ...built,
          retrievers: { keyword },
          [Symbol.asyncDispose]: () => keyword[Symbol.asyncDispose](),
        };
      }
      await keyword[Symbol.asyncDispose]();
      const [index, denseSeconds] = await inSeconds(() =>
        postgresIndex({ ...given, embedder, batchSize: 500 }),
      );
      return {
        ...built,
        denseSeconds,
        denseBytes: (await bytesOf(schema)) - keywordBytes,
        retrievers: {
          keyword: index.retriever({ by: "keyword" }),
          dense: index.retriever({ by: "dense" }),
          hybrid: index,
        },
        [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
      };
    },
  };
}

/** What PostgreSQL itself offers: `tsvector` with `ts_rank_cd`, any word of the query. */
export function coverDensityContender(server: PostgresServer): Contender {
  return {
    name: "PostgreSQL's `ts_rank_cd`",
    build: async ({ corpus: { passages }, place }) => {
      const client = new pg.Client(server.url);
      await client.connect();
      const table = `"${place}"`;
      const [, keywordSeconds] = await inSeconds(async () => {
        await client.query(`CREATE TABLE ${table} (id text, body text, words tsvector)`);
        for (let at = 0; at < passages.length; at += 2_000) {
          const part = passages.slice(at, at + 2_000);
          await client.query(
            `INSERT INTO ${table} SELECT id, body, to_tsvector('english', body)
             FROM unnest($1::text[], $2::text[]) AS given(id, body)`,
            [part.map(({ id }) => id), part.map(({ title = "", text }) => `${title}\n${text}`)],
          );
        }
        await client.query(`CREATE INDEX ON ${table} USING gin (words)`);
        await client.query(`VACUUM ANALYZE ${table}`);
      });
      const { rows } = await client.query<{ bytes: number }>(
        "SELECT pg_total_relation_size($1)::float8 AS bytes",
        [table],
      );
      const keyword: Retriever = {
        name: "coverDensity",
        version: "1",
        doRetrieve: async ({ query, k }) => {
          const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
          const found = await client.query<{ id: string; body: string; score: number }>(
            `SELECT id, body, ts_rank_cd(words, query, 1) AS score
             FROM ${table}, to_tsquery('english', $1) AS query WHERE words @@ query
             ORDER BY score DESC, id LIMIT $2`,
            [[...new Set(words)].join(" | "), k],
          );
          return found.rows.map(({ id, body, score }) => ({ id, text: body, score }));
        },
      };
      return {
        keywordSeconds,
        keywordBytes: rows[0]?.bytes ?? Number.NaN,
        retrievers: { keyword },
        [Symbol.asyncDispose]: () => client.end(),
      };
    },
  };
}
