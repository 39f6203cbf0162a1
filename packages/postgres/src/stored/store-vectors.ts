import { EspalierError } from "../../../../src/errors/index.ts";
import { contentHash } from "../../../../src/internal/index.ts";
import type { HnswOptions } from "./build-graph.ts";
import { buildGraph, hasGraph } from "./build-graph.ts";
import type { EmbedOptions } from "./embed-missing.ts";
import { embedMissing } from "./embed-missing.ts";
import type { Embedding, IndexTables } from "./index-tables.ts";
import { embeddingOf, quoted, whileLocked } from "./index-tables.ts";
import type { PostgresPool } from "../server/postgres-pool.ts";
import type { VectorPlace } from "./vector-place.ts";

export interface StoreVectorsOptions extends EmbedOptions {
  readonly similarity: "cosine" | "inner-product";
  /** `exact` compares every vector. */
  readonly neighbours: HnswOptions | "exact";
}

/**
 * Embeds the passages that have no vector yet and stores every batch that was paid for; then builds
 * the HNSW index, if it is missing. One process works; others wait for it.
 *
 * @throws EspalierError `index-unusable` without pgvector; the embedder's errors
 */
export async function storeVectors(
  pool: PostgresPool,
  tables: IndexTables,
  options: StoreVectorsOptions,
): Promise<VectorPlace> {
  const { embedder, documentPrefix, maxCharacters, similarity, neighbours } = options;
  const key = contentHash({ ...embedder.identity, documentPrefix, maxCharacters, format: 1 });
  const extension = await pgvector(pool, options.signal);
  const placed = ({ number, dimension }: Embedding): VectorPlace => ({
    table: tables.vectors(number),
    dimension,
    similarity,
    extension,
    isHalved: neighbours !== "exact" && dimension > longestIndexed && dimension <= longestHalved,
    isExact: neighbours === "exact" || dimension > longestHalved,
  });
  const known = await pool.read(
    `SELECT * FROM ${tables.embeddings} WHERE key = $1 AND is_whole`,
    [key],
    options.signal,
  );
  const [whole] = known.map(embeddingOf);
  if (whole !== undefined) {
    const place = placed(whole);
    // Needs no lock and no right to write.
    if (neighbours === "exact" || place.isExact) return place;
    const run = (sql: string, values: readonly unknown[] = []) =>
      pool.read(sql, values, options.signal);
    if (await hasGraph(run, place, tables, neighbours)) return place;
  }
  return pool.hold(
    (run) =>
      whileLocked(run, tables, async () => {
        const embedding = await embedMissing(run, tables, { ...options, key, extension });
        const place = placed(embedding);
        if (neighbours !== "exact" && !place.isExact) {
          await buildGraph(run, pool, place, tables, { ...neighbours, ...options });
        }
        return place;
      }),
    options.signal,
  );
}

/** Schema of the extension, quoted; creates the extension where the server offers it. */
async function pgvector(pool: PostgresPool, signal: AbortSignal | undefined): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const [row] = await pool.read(
      `SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
       WHERE extname = 'vector'`,
      [],
      signal,
    );
    return row && quoted(String(row["nspname"]));
  };
  const known = await find();
  if (known !== undefined) return known;
  const [offered] = await pool.read(
    "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'",
    [],
    signal,
  );
  if (offered === undefined) throw missingPgvector(pool.where);
  await pool.hold((run) => run("CREATE EXTENSION IF NOT EXISTS vector"), signal);
  return (await find()) ?? quoted("public");
}

function missingPgvector(where: string): EspalierError {
  return new EspalierError({
    code: "index-unusable",
    problem: "The PostgreSQL server does not have the pgvector extension",
    expected: "pgvector, which dense and hybrid search need",
    where,
    fix: "Install pgvector on the server, or leave out `embedder` and use keyword search.",
  });
}

/** Most numbers of a vector that pgvector indexes with 32 bits each, and with 16. */
const longestIndexed = 2_000;
const longestHalved = 4_000;
