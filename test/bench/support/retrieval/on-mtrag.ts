import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ndcgAt, recallAt } from "espalier/metric";
import { readCorpus } from "espalier/retrieval";
import { readQrels } from "espalier/trainset";
import { sharedData } from "../../../support/shared-data.ts";
import type { QueryKind } from "../bm25-on-mtrag.ts";
import { collections, queriesOf, queryKinds } from "../bm25-on-mtrag.ts";
import type { PythonPackage } from "../python-package.ts";
import type { Contender } from "./contender.ts";
import { inSeconds, quantiles, timedSearches } from "./contender.ts";
import { askPeer } from "./python-peer.ts";

/** Keyword search of one engine over MTRAG's pool: each collection has an index of its own. */
export interface MtragFigures {
  readonly name: string;
  readonly buildSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Means over the judged queries. */
  readonly quality: Readonly<
    Record<QueryKind, { readonly ndcg_5: number; readonly recall_10: number }>
  >;
}

interface Answered {
  readonly buildSeconds: number;
  readonly ms: readonly number[];
  readonly found: readonly (readonly { readonly id: string; readonly score: number }[])[];
}

export function contenderOnMtrag(contender: Contender): Promise<MtragFigures> {
  return onMtrag(contender.name, async (name, corpus, queries) => {
    const place = `mtrag-${name}-${contender.name.replaceAll(/\W/g, "")}`;
    await using index = await contender.build({ corpus, place });
    const { keyword } = index.retrievers;
    if (keyword === undefined) throw new Error(`${contender.name} has no keyword search.`);
    const ms: number[] = [];
    const found = [];
    await timedSearches(keyword, queries.slice(0, 20));
    for (const query of queries) {
      const [passages, seconds] = await inSeconds(() => keyword.doRetrieve({ query, k: 10 }, {}));
      ms.push(seconds * 1_000);
      found.push(passages);
    }
    return { buildSeconds: index.keywordSeconds, ms, found };
  });
}

export function peerOnMtrag(
  peers: PythonPackage,
  engine: "bm25s" | "tantivy",
  folder: string,
): Promise<MtragFigures> {
  return onMtrag(`${engine} (Python)`, async (name, { passages }, queries) => {
    const place = join(folder, `mtrag-${name}`);
    await mkdir(place, { recursive: true });
    return askPeer(peers, { engine, passages, queries, folder: place });
  });
}

async function onMtrag(
  name: string,
  answer: (
    collection: string,
    corpus: Awaited<ReturnType<typeof readCorpus>>,
    queries: readonly string[],
  ) => Promise<Answered>,
): Promise<MtragFigures> {
  let buildSeconds = 0;
  const ms: number[] = [];
  const scores = { lastturn: [], rewrite: [] } as Record<
    QueryKind,
    { ndcg_5: number; recall_10: number }[]
  >;
  for (const collection of collections) {
    const corpus = await readCorpus(sharedData(`mtrag/corpora-pooled/${collection}.jsonl.gz`).file);
    const qrels = await readQrels(sharedData(`mtrag/qrels/${collection}.tsv`).file);
    const all = queryKinds.flatMap((kind) =>
      queriesOf(collection, kind)
        .filter(({ id }) => qrels.has(id))
        .map((query) => ({ ...query, kind })),
    );
    const answered = await answer(
      collection,
      corpus,
      all.map(({ text }) => text),
    );
    buildSeconds += answered.buildSeconds;
    ms.push(...answered.ms);
    for (const [index, { id, kind }] of all.entries()) {
      const relevant = qrels.get(id) ?? {};
      const found = answered.found[index] ?? [];
      scores[kind].push({
        ndcg_5: ndcgAt(5)(found, relevant),
        recall_10: recallAt(10)(found, relevant),
      });
    }
  }
  const mean = (kind: QueryKind) => ({
    ndcg_5: scores[kind].reduce((sum, each) => sum + each.ndcg_5, 0) / scores[kind].length,
    recall_10: scores[kind].reduce((sum, each) => sum + each.recall_10, 0) / scores[kind].length,
  });
  return {
    name,
    buildSeconds,
    ...quantiles(ms),
    quality: { lastturn: mean("lastturn"), rewrite: mean("rewrite") },
  };
}
