import type { SearchPart } from "./contender.ts";
import type { MtragFigures } from "./on-mtrag.ts";

/** One kind of search of one engine over the made-up passages. */
export interface MadeFigures {
  readonly name: string;
  readonly part: SearchPart;
  readonly buildSeconds: number;
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of what SQLite finds, whose vectors are compared exactly. */
  readonly recall: number;
}

export interface RetrievalBenchFigures {
  readonly passages: number;
  readonly queries: number;
  /** The machine's load averages at the end. */
  readonly load: readonly number[];
  readonly made: readonly MadeFigures[];
  readonly pool: readonly MtragFigures[];
}

export function retrievalText({
  passages,
  queries,
  load,
  made,
  pool,
}: RetrievalBenchFigures): string {
  return [
    `${passages} made-up passages, ${queries} queries for 10; load ${load.map((each) => each.toFixed(1)).join(" ")}`,
    "engine                     part     build s      MB   p50 ms   p99 ms  overlap with SQLite",
    ...made.map(({ name, part, buildSeconds, bytes, p50Ms, p99Ms, recall }) =>
      [
        name.padEnd(26),
        part.padEnd(8),
        (part === "hybrid" ? "" : buildSeconds.toFixed(1)).padStart(8),
        (part === "hybrid" ? "" : (bytes / 1e6).toFixed(0)).padStart(7),
        p50Ms.toFixed(2).padStart(8),
        p99Ms.toFixed(2).padStart(8),
        recall.toFixed(4).padStart(8),
      ].join(" "),
    ),
    "",
    "MTRAG's pool               build s   p50 ms   p99 ms   nDCG@5, R@10: last turn   rewrite",
    ...pool.map(({ name, buildSeconds, p50Ms, p99Ms, quality: { lastturn, rewrite } }) =>
      [
        name.padEnd(26),
        buildSeconds.toFixed(1).padStart(7),
        p50Ms.toFixed(2).padStart(8),
        p99Ms.toFixed(2).padStart(8),
        ...[lastturn, rewrite].map(({ ndcg_5, recall_10 }) =>
          `  ${ndcg_5.toFixed(4)} ${recall_10.toFixed(4)}`.padStart(20),
        ),
      ].join(" "),
    ),
  ].join("\n");
}
