import type { IndexTables } from "../stored/index-tables.ts";
import type { VectorPlace } from "../stored/vector-place.ts";
import type { KeywordSqlOptions } from "./keyword-sql.ts";
import { keywordSql } from "./keyword-sql.ts";

export type PostgresRanking = "keyword" | "dense" | "hybrid";

export interface SearchSqlOptions extends Omit<KeywordSqlOptions, "filter"> {
  readonly ranking: PostgresRanking;
  readonly vectors: VectorPlace | undefined;
  readonly isFiltered: boolean;
  readonly k0: number;
  /** Of keyword and dense. */
  readonly weights: readonly [number, number];
}

/** What one search sends; a ranking reads what it needs of it. */
export interface SearchValues {
  readonly stems: readonly string[];
  readonly times: readonly number[];
  /** Passages from each ranking that is fused. */
  readonly depth: number;
  readonly k: number;
  /** pgvector's notation: `[1,2]`. */
  readonly vector: string;
  /** JSON that a passage's metadata must contain. */
  readonly filter: string;
}

export interface SearchStatement {
  readonly sql: string;
  values(given: SearchValues): readonly unknown[];
}

/** One statement that finds, ranks and returns passages: one round trip. */
export function searchStatement(options: SearchSqlOptions): SearchStatement {
  const { tables, ranking, vectors, isFiltered } = options;
  const names: (keyof SearchValues)[] = [];
  const bind = (name: keyof SearchValues): string => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  };
  const hasKeywords = ranking !== "dense";
  // `keywordSql` knows these by their numbers.
  if (hasKeywords) for (const name of ["stems", "times", "depth"] as const) bind(name);
  const filter = isFiltered ? `kept.metadata::jsonb @> ${bind("filter")}::jsonb` : undefined;
  const parts = [
    ...(hasKeywords ? [keywordSql({ ...options, filter })] : []),
    ...(ranking === "keyword" || vectors === undefined
      ? []
      : [denseSql(tables, vectors, { vector: bind("vector"), depth: bind("depth"), filter })]),
  ];
  if (ranking === "hybrid") parts.push(fusionSql(options, bind("k")));
  const hits = { keyword: "keyword_hits", dense: "dense_hits", hybrid: "fused_hits" }[ranking];
  const sql = `
    WITH ${parts.join(",")}
    SELECT found.id, found.title, found.text, found.metadata::text AS metadata, hit.score
    FROM ${hits} AS hit JOIN ${tables.passages} AS found ON found.number = hit.passage
    ORDER BY hit.rank`;
  return { sql, values: (given) => names.map((name) => given[name]) };
}

/** `dense_hits (passage, score, rank)`: the nearest passages. */
function denseSql(
  tables: IndexTables,
  { table, dimension, similarity, extension, isHalved, isExact }: VectorPlace,
  {
    vector,
    depth,
    filter,
  }: { readonly vector: string; readonly depth: string; readonly filter: string | undefined },
): string {
  const operator = `OPERATOR(${extension}.${similarity === "cosine" ? "<=>" : "<#>"})`;
  const cast = isHalved
    ? `${extension}.halfvec(${dimension})`
    : `${extension}.vector(${dimension})`;
  const held = isHalved ? `(vector::${cast})` : "vector";
  const distance = `${held} ${operator} ${vector}::${cast}`;
  // A vector of length 0 has no direction: its distance is not a number, and its score 0.
  const score = similarity === "cosine" ? "1 - coalesce(nullif(distance, 'NaN'), 1)" : "-distance";
  const kept =
    filter === undefined
      ? ""
      : `WHERE passage IN (SELECT number FROM ${tables.passages} AS kept WHERE ${filter})`;
  return `
    dense_hits AS MATERIALIZED (
      SELECT passage, score, row_number() OVER (ORDER BY score DESC, passage) AS rank FROM (
        SELECT passage, ${score} AS score FROM (
          SELECT passage, ${distance} AS distance FROM ${table} ${kept}
          ORDER BY ${isExact ? `(${distance}) + 0` : distance}, passage LIMIT ${depth}::int
        ) AS nearest
      ) AS found
    )`;
}

/** Weighted reciprocal rank fusion, as `reciprocalRankFusion`. */
function fusionSql({ k0, weights: [keyword, dense] }: SearchSqlOptions, k: string): string {
  const share = (weight: number): string => `${weight}::float8 / (${k0}::float8 + rank)`;
  return `
    fused_hits AS MATERIALIZED (
      SELECT passage, sum(share) AS score, row_number() OVER (ORDER BY sum(share) DESC, passage) AS rank
      FROM (
        SELECT passage, ${share(keyword)} AS share FROM keyword_hits WHERE ${keyword} > 0
        UNION ALL
        SELECT passage, ${share(dense)} FROM dense_hits WHERE ${dense} > 0
      ) AS shares GROUP BY passage ORDER BY rank LIMIT ${k}::int
    )`;
}
