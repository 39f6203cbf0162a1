/**
 * Times indexing and searching the pooled passages of MTRAG, and checks that the embedded BM25
 * finds what an independent FTS5 index over the same pool found.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchOptions, report } from "./support/bench-options.ts";
import type { RetrievalFigures } from "./support/bm25-on-mtrag.ts";
import { bm25OnMtrag, mtrag, independent, queryKinds } from "./support/bm25-on-mtrag.ts";

const { json } = benchOptions(
  "bm25",
  "Times BM25 on MTRAG's pooled passages and compares its results with an independent index.",
);

if (mtrag.isAbsent) {
  report(json, `Nothing was measured.${mtrag.note}`, { skipped: mtrag.note.trim() });
} else {
  const folder = await mkdtemp(join(tmpdir(), "espalier-bench-"));
  const measured = await bm25OnMtrag(folder).finally(() => rm(folder, { recursive: true }));
  const { passages, buildSeconds, readSeconds, queryMs, figures } = measured;
  const largestDifference = Math.max(
    ...queryKinds.flatMap((kind) =>
      Object.entries(independent[kind]).map(([name, value]) =>
        Math.abs(figures[kind][name as keyof RetrievalFigures] - value),
      ),
    ),
  );
  report(
    json,
    [
      `${passages} passages: read and checked in ${readSeconds.toFixed(1)} s, indexed in ${buildSeconds.toFixed(1)} s`,
      `a query: p50 ${queryMs.p50.toFixed(1)} ms, p95 ${queryMs.p95.toFixed(1)} ms, most ${queryMs.most.toFixed(1)} ms`,
      "",
      "                      R@5    nDCG@5 R@10",
      ...queryKinds.flatMap((kind) => [
        row(kind, figures[kind], `${figures[kind].queries} queries`),
        row("  independent", independent[kind]),
      ]),
      `largest difference ${largestDifference.toFixed(4)}`,
    ].join("\n"),
    { node: process.version, ...measured, independent, largestDifference },
  );
}

function row(name: string, figures: RetrievalFigures, note = ""): string {
  const { recall_5, ndcg_cut_5, recall_10 } = figures;
  const numbers = [recall_5, ndcg_cut_5, recall_10].map((value) => value.toFixed(4)).join(" ");
  return `${name.padEnd(22)}${numbers}  ${note}`.trimEnd();
}
