/**
 * Optimizes R2RAG, the router and both pipelines together, for correct answers that cite their
 * sources, on questions over four shelves: `espalier optimize optimizers/r2rag.ts`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { bm25Index, corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { citedAnswer, r2rag } from "../programs/r2rag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../trainsets/four-shelves/index.ts";
import { r2ragParts, standInThreshold } from "./support/r2rag-parts.ts";

export default async (parts: Parts) => {
  const shelves = corpus(await fourShelvesPassages());
  const byId = new Map(shelves.passages.map((passage) => [passage.id, passage]));
  // One file for each state of the texts, because an index never changes once it is built.
  const path = `.espalier/four-shelves-${shelves.checksum.slice(0, 12)}.sqlite`;
  const searched = await bm25Index({ path, corpus: shelves });
  return study({
    name: "r2rag",
    program: r2rag(r2ragParts(searched, parts)).with(standInThreshold(parts)),
    trainset: await fourShelvesQuestions(),
    objective: citedAnswer({ passageOf: (id) => byId.get(id) }),
    optimizer: gepa({ budget: { metricCalls: 2_000 }, search: { frontier: "hybrid" } }),
  });
};
