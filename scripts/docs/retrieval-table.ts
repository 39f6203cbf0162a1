import { z } from "zod";
import { count, table } from "./figures.ts";

/** The indexes side by side, on made-up passages and on MTRAG's pool. */
export function retrievalTable(given: unknown): string {
  const { passages, queries, load, made, pool } = figures.parse(given);
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
  const ms = (value: number): string => `${value.toFixed(value < 1 ? 2 : 1)} ms`;
  return [
    `${count(passages)} passages, ${queries} queries for 10 passages, one after the other; load average of the machine at the end ${load[0]?.toFixed(1)} on two cores:`,
    "",
    table(
      ["index", "search", "built in", "size", "p50", "p99", "of what SQLite finds"],
      made.map(({ name, part, buildSeconds, bytes, p50Ms, p99Ms, recall }) => [
        name,
        part,
        part === "hybrid" ? "" : `${buildSeconds.toFixed(1)} s`,
        part === "hybrid" ? "" : megabytes(bytes),
        ms(p50Ms),
        ms(p99Ms),
        recall.toFixed(3),
      ]),
    ),
    "",
    "MTRAG's pool, 42,595 passages in four indexes, 777 queries as the last turn and as a person's rewrite of it:",
    "",
    table(
      [
        "keyword search",
        "built in",
        "p50",
        "p99",
        "nDCG@5, R@10: last turn",
        "nDCG@5, R@10: rewrite",
      ],
      pool.map(({ name, buildSeconds, p50Ms, p99Ms, quality: { lastturn, rewrite } }) => [
        name,
        `${buildSeconds.toFixed(1)} s`,
        ms(p50Ms),
        ms(p99Ms),
        `${four(lastturn.ndcg_5)}, ${four(lastturn.recall_10)}`,
        `${four(rewrite.ndcg_5)}, ${four(rewrite.recall_10)}`,
      ]),
    ),
  ].join("\n");
}

function four(value: number): string {
  return value.toFixed(4).replace(/^0/, "");
}

const quality = z.object({ ndcg_5: z.number(), recall_10: z.number() });
const figures = z.object({
  passages: z.number(),
  queries: z.number(),
  load: z.array(z.number()),
  made: z.array(
    z.object({
      name: z.string(),
      part: z.string(),
      buildSeconds: z.number(),
      bytes: z.number(),
      p50Ms: z.number(),
      p99Ms: z.number(),
      recall: z.number(),
    }),
  ),
  pool: z.array(
    z.object({
      name: z.string(),
      buildSeconds: z.number(),
      p50Ms: z.number(),
      p99Ms: z.number(),
      quality: z.object({ lastturn: quality, rewrite: quality }),
    }),
  ),
});
