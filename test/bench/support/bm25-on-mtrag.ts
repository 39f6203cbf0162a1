import { readFileSync } from "node:fs";
import type { Bm25Index } from "espalier/retrieval";
import { bm25Index, readCorpus } from "espalier/retrieval";
import { ndcgAt, recallAt } from "espalier/metric";
import type { RelevanceGrades } from "espalier/trainset";
import { readQrels } from "espalier/trainset";
import { sharedData } from "../../support/shared-data.ts";
import { median } from "./measure.ts";

export const collections = ["clapnq", "cloud", "fiqa", "govt"] as const;
export const queryKinds = ["lastturn", "rewrite"] as const;
export type QueryKind = (typeof queryKinds)[number];

/**
 * The pooled passages of MTRAG (Katsis et al. 2025, TACL 13:784-808), stored beside the repository.
 */
export const mtrag = sharedData("mtrag/corpora-pooled/clapnq.jsonl.gz");

export interface RetrievalFigures {
  readonly recall_5: number;
  readonly ndcg_cut_5: number;
  readonly recall_10: number;
}

/**
 * SQLite FTS5 with Porter stems over the same pool, computed independently of this code, for the
 * conversation's last turn as written and as a person rewrote it.
 */
export const independent: Readonly<Record<QueryKind, RetrievalFigures>> = {
  lastturn: { recall_5: 0.246, ndcg_cut_5: 0.218, recall_10: 0.33 },
  rewrite: { recall_5: 0.286, ndcg_cut_5: 0.248, recall_10: 0.387 },
};

export interface Bm25Figures {
  readonly passages: number;
  /** Excludes reading and checking the files. */
  readonly buildSeconds: number;
  readonly readSeconds: number;
  /** Milliseconds for one query of 10 passages. */
  readonly queryMs: { readonly p50: number; readonly p95: number; readonly most: number };
  readonly figures: Readonly<Record<QueryKind, RetrievalFigures & { readonly queries: number }>>;
}

/** Indexes each collection in its own file in `folder`, and runs the judged queries on it. */
export async function bm25OnMtrag(folder: string): Promise<Bm25Figures> {
  let passages = 0;
  let readSeconds = 0;
  let buildSeconds = 0;
  const latencies: number[] = [];
  const rows: Record<QueryKind, RetrievalFigures[]> = { lastturn: [], rewrite: [] };
  for (const name of collections) {
    const readAt = performance.now();
    const corpus = await readCorpus(sharedData(`mtrag/corpora-pooled/${name}.jsonl.gz`).file);
    const builtAt = performance.now();
    await using index = await bm25Index({ path: `${folder}/${name}.sqlite`, corpus });
    readSeconds += (builtAt - readAt) / 1_000;
    buildSeconds += (performance.now() - builtAt) / 1_000;
    passages += index.size;
    const qrels = await readQrels(sharedData(`mtrag/qrels/${name}.tsv`).file);
    for (const kind of queryKinds) {
      rows[kind].push(...(await judgedQueries(name, kind, { index, qrels, latencies })));
    }
  }
  const sorted = latencies.toSorted((left, right) => left - right);
  return {
    passages,
    buildSeconds,
    readSeconds,
    queryMs: {
      p50: median(sorted),
      p95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
      most: sorted.at(-1) ?? Number.NaN,
    },
    figures: { lastturn: means(rows.lastturn), rewrite: means(rows.rewrite) },
  };
}

export function queriesOf(
  collection: string,
  kind: QueryKind,
): readonly { readonly id: string; readonly text: string }[] {
  const { file } = sharedData(`mtrag/queries/${collection}_${kind}.jsonl`);
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const { _id: id, text } = JSON.parse(line) as { readonly _id: string; readonly text: string };
      return { id, text: text.replace(/^\|user\|:/, "") };
    });
}

async function judgedQueries(
  collection: string,
  kind: QueryKind,
  {
    index,
    qrels,
    latencies,
  }: {
    readonly index: Bm25Index;
    readonly qrels: ReadonlyMap<string, RelevanceGrades>;
    readonly latencies: number[];
  },
): Promise<readonly RetrievalFigures[]> {
  const figures: RetrievalFigures[] = [];
  for (const { id, text: query } of queriesOf(collection, kind)) {
    const relevant = qrels.get(id);
    if (relevant === undefined) continue;
    const askedAt = performance.now();
    const found = await index.doRetrieve({ query, k: 10 }, {});
    latencies.push(performance.now() - askedAt);
    figures.push({
      recall_5: recallAt(5)(found, relevant),
      ndcg_cut_5: ndcgAt(5)(found, relevant),
      recall_10: recallAt(10)(found, relevant),
    });
  }
  return figures;
}

function means(rows: readonly RetrievalFigures[]): RetrievalFigures & { readonly queries: number } {
  const mean = (name: keyof RetrievalFigures): number =>
    rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  return {
    recall_5: mean("recall_5"),
    ndcg_cut_5: mean("ndcg_cut_5"),
    recall_10: mean("recall_10"),
    queries: rows.length,
  };
}
