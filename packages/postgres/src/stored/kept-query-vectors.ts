import { EspalierError } from "../../../../src/errors/index.ts";
import type { KeptVectors } from "../../../../src/retrieval/index.ts";
import { vectorIn } from "../../../../src/retrieval/index.ts";
import type { IndexTables } from "./index-tables.ts";
import type { PostgresPool } from "../server/postgres-pool.ts";

/**
 * Vectors of queries in the index's schema, for every process that searches it. A user or server
 * that may only read stores none.
 *
 * @param limit approximate maximum number of vectors; beyond it the oldest are removed
 */
export function keptQueryVectors(
  pool: PostgresPool,
  { queries }: IndexTables,
  limit: number,
): KeptVectors {
  let isWritable = limit > 0;
  const writes = new Set<Promise<unknown>>();
  const store = async (key: Uint8Array, { buffer, byteOffset, byteLength }: Float32Array) => {
    try {
      await pool.read(
        `WITH kept AS (
          INSERT INTO ${queries} (key, vector) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING RETURNING number
        )
        DELETE FROM ${queries} WHERE number <= (SELECT number FROM kept) - $3::bigint`,
        [key, new Uint8Array(buffer, byteOffset, byteLength), limit],
        undefined,
      );
    } catch (error) {
      if (!(EspalierError.isInstance(error) && error.code === "search-refused")) throw error;
      isWritable = false;
    }
  };
  return {
    get: async (key) => {
      const [row] = await pool.read(
        `SELECT vector FROM ${queries} WHERE key = $1`,
        [key],
        undefined,
      );
      return vectorIn(row?.["vector"]);
    },
    keep: async (key, vector) => {
      if (!isWritable) return;
      const write = store(key, vector).finally(() => writes.delete(write));
      writes.add(write);
      await write;
    },
    settle: async () => void (await Promise.allSettled(writes)),
  };
}
