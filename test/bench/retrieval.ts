/**
 * Builds and searches made-up passages in every index side by side, with Python's bm25s and tantivy
 * for the keyword part, and compares what they find; then the same for MTRAG's pool, with quality.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { RankedPassage } from "espalier";
import { corpus as checkedCorpus } from "espalier/retrieval";
import { vectorPostgres } from "../../packages/postgres/test/support/postgres-programs.ts";
import { postgresServer } from "../../packages/postgres/test/support/postgres-server.ts";
import { benchOptions, report } from "./support/bench-options.ts";
import { mtrag } from "./support/bm25-on-mtrag.ts";
import type { Contender, SearchPart } from "./support/retrieval/contender.ts";
import { overlap, timedSearches } from "./support/retrieval/contender.ts";
import { lanceContender } from "../../packages/lance/test/support/lance-contender.ts";
import { madeEmbedder, madePassages, madeQueries } from "./support/retrieval/made-passages.ts";
import type { MtragFigures } from "./support/retrieval/on-mtrag.ts";
import { contenderOnMtrag, peerOnMtrag } from "./support/retrieval/on-mtrag.ts";
import {
  coverDensityContender,
  postgresContender,
} from "../../packages/postgres/test/support/postgres-contender.ts";
import { askPeer, keywordPeers } from "./support/retrieval/python-peer.ts";
import type { MadeFigures } from "./support/retrieval/retrieval-text.ts";
import { retrievalText } from "./support/retrieval/retrieval-text.ts";
import { sqliteContender } from "./support/retrieval/sqlite-contender.ts";

const { json, sizes } = benchOptions(
  "retrieval",
  "Compares the indexes on made-up passages and on MTRAG's pool.",
  {
    passages: [1_000_000, "Made-up passages; 0 leaves them out"],
    queries: [500, "Queries to each"],
    postgres: [1, "0 leaves PostgreSQL out"],
  },
);

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const programs = await vectorPostgres();
const peers = await keywordPeers();
if (programs.isAbsent) say(programs.note.trim());
if (typeof peers === "string") say(peers);

const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
const stack = new AsyncDisposableStack();
try {
  const server =
    programs.isAbsent || sizes.postgres === 0
      ? undefined
      : stack.use(
          await postgresServer(programs.folder, {
            settings: [
              "shared_buffers = 1GB",
              "maintenance_work_mem = 2GB",
              "max_wal_size = 8GB",
              // Containers have little shared memory.
              "dynamic_shared_memory_type = mmap",
            ],
          }),
        );
  const contenders: readonly Contender[] = [
    sqliteContender(folder),
    ...(server === undefined ? [] : [postgresContender(server)]),
    lanceContender(folder),
  ];
  const made = sizes.passages === 0 ? [] : await onMadePassages(contenders);
  const pool: MtragFigures[] = [];
  if (mtrag.isAbsent) say(`MTRAG was not measured.${mtrag.note}`);
  else {
    const all = server === undefined ? contenders : [...contenders, coverDensityContender(server)];
    for (const contender of all) {
      say(`MTRAG: ${contender.name}`);
      pool.push(await contenderOnMtrag(contender));
    }
    if (typeof peers !== "string") {
      for (const engine of ["tantivy", "bm25s"] as const) {
        say(`MTRAG: ${engine}`);
        pool.push(await peerOnMtrag(peers, engine, folder));
      }
    }
  }
  const figures = { passages: sizes.passages, queries: sizes.queries, load: loadavg(), made, pool };
  report(json, retrievalText(figures), { node: process.version, ...figures });
} finally {
  await stack.disposeAsync();
  await rm(folder, { recursive: true, force: true });
}

async function onMadePassages(contenders: readonly Contender[]): Promise<readonly MadeFigures[]> {
  const corpus = checkedCorpus(madePassages(sizes.passages));
  const queries = madeQueries(corpus.passages, sizes.queries);
  const embedder = madeEmbedder();
  const rows: MadeFigures[] = [];
  const wanted = new Map<SearchPart, readonly (readonly RankedPassage[])[]>();
  for (const contender of contenders) {
    say(`${contender.name}: building`);
    await using index = await contender.build({ corpus, embedder, place: "made" });
    for (const part of ["keyword", "dense", "hybrid"] as const) {
      const retriever = index.retrievers[part];
      if (retriever === undefined) continue;
      say(`${contender.name}: ${part}`);
      const { found, ...times } = await timedSearches(retriever, queries);
      if (!wanted.has(part)) wanted.set(part, found);
      rows.push({
        name: contender.name,
        part,
        buildSeconds: part === "dense" ? (index.denseSeconds ?? 0) : index.keywordSeconds,
        bytes: part === "dense" ? (index.denseBytes ?? 0) : index.keywordBytes,
        ...times,
        recall: overlap(found, wanted.get(part) ?? []),
      });
      say(JSON.stringify(rows.at(-1)));
    }
  }
  if (typeof peers === "string") return rows;
  for (const engine of ["tantivy", "bm25s"] as const) {
    say(`${engine}: building`);
    const place = join(folder, engine);
    await mkdir(place);
    const { passages } = corpus;
    const {
      found,
      ms: _ms,
      ...figures
    } = await askPeer(peers, { engine, passages, queries, folder: place });
    rows.push({
      name: `${engine} (Python)`,
      part: "keyword",
      ...figures,
      recall: overlap(found, wanted.get("keyword") ?? []),
    });
    say(JSON.stringify(rows.at(-1)));
  }
  return rows;
}
