import type { Stemmer } from "../../../../src/retrieval/index.ts";
import { blockSize } from "../stored/block-postings.ts";
import type { IndexTables } from "../stored/index-tables.ts";

/** The stems of a query, each with the number of its words that have it. */
export function countedStems(
  words: readonly string[],
  stemsOf: Stemmer,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stemsOf(words).flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

export interface KeywordSqlOptions {
  readonly tables: IndexTables;
  /** Number of passages. */
  readonly size: number;
  /** Mean number of words of a passage, title and text. */
  readonly meanWords: number;
  /** A condition on the row `kept` of the table `passages`, or none. */
  readonly filter: string | undefined;
  /** Stems are scored first until they have so many passages. @default 20_000 */
  readonly firstHolders?: number;
}

/**
 * Common table expressions, of which `keyword_hits (passage, score, rank)` is the result: at most
 * `$3` passages. `$1` are the stems, `$2` how often each counts.
 *
 * BM25 as SQLite's FTS5 computes it. Every share of a stem in a passage is rounded to a whole
 * number, so that a sum does not depend on its order, which the server is free to choose.
 *
 * Words in at least half of the passages weigh almost nothing (1e-6) and are searched only where
 * the others find fewer than `k`. Of the others the rarest are scored first. If then the k-th best
 * passage has more than all the others together can add, a passage without any of the rarest cannot
 * be among the k best: the rest is read for few passages (MaxScore, Turtle and Flood 1995).
 */
export function keywordSql(options: KeywordSqlOptions): string {
  const { tables, size, firstHolders = 20_000 } = options;
  return `
    counted AS MATERIALIZED (
      SELECT given.stem, given.times,
        (SELECT sum(held.holders)::int FROM ${tables.postings} AS held WHERE held.stem = given.stem) AS holders
      FROM unnest($1::text[], $2::int[]) AS given(stem, times)
    ),
    asked AS MATERIALIZED (
      SELECT stem, times, holders, holders >= ${size} / 2.0 AS is_frequent,
        ${1 + k1} * times *
          greatest(ln((${size} - holders + 0.5::float8) / (holders + 0.5::float8)), 1e-6::float8) AS weight,
        sum(holders) OVER (ORDER BY holders, stem) - holders < ${firstHolders} AS is_first
      FROM counted WHERE holders IS NOT NULL
    ),
    scale AS MATERIALIZED (
      SELECT 2::float8 ^ floor(ln(1e9 / max(weight)) / ln(2::float8)) AS rare,
        2::float8 ^ 46 / sum(times) AS frequent FROM asked WHERE weight > 0
    ),
    first_hits AS MATERIALIZED (
      SELECT passage, sum(share) AS score
      FROM (${shares(options, "is_first AND NOT is_frequent", "rare")}) AS found
      GROUP BY passage
    ),
    reached AS MATERIALIZED (
      SELECT score FROM first_hits ORDER BY score DESC OFFSET $3::int - 1 LIMIT 1
    ),
    rest AS MATERIALIZED (
      SELECT coalesce(sum(ceil(weight * rare)), 0)::bigint AS score
      FROM asked, scale WHERE NOT is_first AND NOT is_frequent
    ),
    bar AS MATERIALIZED (
      SELECT coalesce(reached.score, 0) > rest.score AS is_passed, reached.score - rest.score AS least
      FROM rest LEFT JOIN reached ON true
    ),
    candidates AS MATERIALIZED (
      SELECT passage, score FROM first_hits
      WHERE (SELECT is_passed FROM bar) AND score >= (SELECT least FROM bar)
    ),
    hits AS MATERIALIZED (
      SELECT passage, score FROM (
        SELECT passage, sum(share) AS score FROM (
          SELECT passage, score AS share FROM candidates
          UNION ALL
          SELECT passage, share::bigint
          FROM (${shares(options, "NOT is_first AND NOT is_frequent", "rare")}) AS others
          WHERE passage IN (SELECT passage FROM candidates)
        ) AS either WHERE (SELECT is_passed FROM bar) GROUP BY passage
        UNION ALL
        SELECT passage, sum(share) FROM (${shares(options, "NOT is_frequent", "rare")}) AS every
        WHERE NOT (SELECT is_passed FROM bar) GROUP BY passage
      ) AS found WHERE score > 0 ORDER BY score DESC, passage LIMIT $3::int
    ),
    behind AS MATERIALIZED (
      SELECT passage, sum(share) AS score
      FROM (${shares(options, "is_frequent", "frequent")}) AS found
      WHERE (SELECT count(*) FROM hits) < $3::int AND passage NOT IN (SELECT passage FROM hits)
      GROUP BY passage HAVING sum(share) > 0 ORDER BY score DESC, passage LIMIT $3::int
    ),
    keyword_hits AS MATERIALIZED (
      SELECT passage, score, row_number() OVER (ORDER BY tier, score DESC, passage) AS rank FROM (
        SELECT 1 AS tier, passage, score / rare AS score FROM hits, scale
        UNION ALL
        SELECT 2, passage, least(
          score / frequent,
          coalesce((SELECT min(score) / max(rare) FROM hits, scale), 'Infinity'::float8)
        ) FROM behind, scale
      ) AS found ORDER BY tier, score DESC, passage LIMIT $3::int
    )`;
}

/** The share of each chosen stem in each passage that has it. */
function shares(
  { tables, meanWords, filter }: KeywordSqlOptions,
  chosen: string,
  scale: "rare" | "frequent",
): string {
  const count = `${float(1)} * ((x & 63) + (x >> 6 & 255))`;
  const words = `(${float(k1 * (1 - b))} + ${float((k1 * b) / meanWords)} * (x >> 14 & 262143))`;
  return `
    SELECT passage, (scaled * counted / (counted + words))::int AS share FROM (
      SELECT (base + (x >> 32))::int AS passage, scaled, ${count} AS counted, ${words} AS words FROM (
        SELECT asked.weight * scale.${scale} AS scaled, posting.block * ${blockSize} AS base,
          unnest(posting.packed) AS x
        FROM asked CROSS JOIN scale JOIN ${tables.postings} AS posting USING (stem)
        WHERE ${chosen}
      ) AS unpacked
    ) AS counted${
      filter === undefined
        ? ""
        : ` WHERE passage IN (SELECT number FROM ${tables.passages} AS kept WHERE ${filter})`
    }`;
}

function float(value: number): string {
  return `${value}::float8`;
}

/** FTS5's constants. */
const k1 = 1.2;
const b = 0.75;
