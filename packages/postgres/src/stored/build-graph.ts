import type { IndexProgress } from "../../../../src/retrieval/index.ts";
import type { IndexTables } from "./index-tables.ts";
import { quoted } from "./index-tables.ts";
import type { PostgresPool, RunQuery } from "../server/postgres-pool.ts";
import type { VectorPlace } from "./vector-place.ts";

/** pgvector's graph of near vectors (HNSW, Malkov and Yashunin 2018). */
export interface HnswOptions {
  /** Links of a vector in each layer, 2 to 100. @default 16 */
  readonly m?: number;
  /** Vectors looked at to place one, 4 to 1,000 and at least twice `m`. @default 64 */
  readonly efConstruction?: number;
  /**
   * Vectors looked at in a search, 1 to 1,000: more find more of the true neighbours and take
   * longer. Does not require a new index. @default 100
   */
  readonly efSearch?: number;
}

/** Whether the graph with these settings is finished. */
export async function hasGraph(
  run: RunQuery,
  place: VectorPlace,
  { schema }: IndexTables,
  hnsw: HnswOptions,
): Promise<boolean> {
  const found = await run("SELECT 1 FROM pg_indexes WHERE schemaname = $1 AND indexname = $2", [
    schema,
    graphName(place, hnsw),
  ]);
  return found.length > 0;
}

/**
 * Builds the graph unless it exists; one of other settings is dropped. The caller holds the lock.
 */
export async function buildGraph(
  run: RunQuery,
  pool: PostgresPool,
  place: VectorPlace,
  tables: IndexTables,
  options: HnswOptions & {
    readonly size: number;
    readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  },
): Promise<void> {
  if (await hasGraph(run, place, tables, options)) return;
  const { dimension, similarity, extension, isHalved } = place;
  const { m, efConstruction } = withDefaults(options);
  const others = await run(
    "SELECT indexname FROM pg_indexes WHERE schemaname = $1 AND starts_with(indexname, $2)",
    [tables.schema, graphPrefix(place)],
  );
  for (const row of others) {
    await run(`DROP INDEX ${quoted(tables.schema)}.${quoted(String(row["indexname"]))}`);
  }
  const type = isHalved ? "halfvec" : "vector";
  const held = isHalved ? `(vector::${extension}.halfvec(${dimension}))` : "vector";
  const family = `${extension}.${type}_${similarity === "cosine" ? "cosine" : "ip"}_ops`;
  const building = run(
    `CREATE INDEX ${quoted(graphName(place, options))} ON ${place.table}
     USING hnsw (${held} ${family}) WITH (m = ${m}, ef_construction = ${efConstruction})`,
  );
  const stopWatching = watched(pool, place, options);
  try {
    await building;
  } finally {
    stopWatching();
  }
  options.onProgress?.({ step: "link", done: options.size, total: options.size });
}

export function withDefaults({
  m = 16,
  efConstruction = 64,
  efSearch = 100,
}: HnswOptions): Required<HnswOptions> {
  return { m, efConstruction, efSearch };
}

function graphPrefix({ table, similarity }: VectorPlace): string {
  // `"schema"."vectors_1"`
  const name = table.slice(table.lastIndexOf(".") + 2, -1);
  return `${name}_hnsw_${similarity === "cosine" ? "cosine" : "ip"}_`;
}

function graphName(place: VectorPlace, options: HnswOptions): string {
  const { m, efConstruction } = withDefaults(options);
  return `${graphPrefix(place)}${m}_${efConstruction}`;
}

/** Reports once a second how many vectors the graph has. */
function watched(
  pool: PostgresPool,
  { table }: VectorPlace,
  {
    size,
    onProgress,
  }: {
    readonly size: number;
    readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  },
): () => void {
  if (onProgress === undefined) return () => undefined;
  const look = async (): Promise<void> => {
    const [row] = await pool.read(
      "SELECT tuples_done::int AS done FROM pg_stat_progress_create_index WHERE relid = $1::regclass",
      [table],
      undefined,
    );
    const done = Math.min(Number(row?.["done"] ?? 0), size);
    if (done > 0) onProgress({ step: "link", done, total: size });
  };
  const timer = setInterval(() => void look().catch(() => undefined), 1_000);
  return () => clearInterval(timer);
}
