/**
 * Optimizes R2RAG, the router and both pipelines together, for correct answers that cite their
 * sources, on questions over four shelves: `espalier optimize optimizers/r2rag.ts`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { bm25Index, corpus } from "espalier/retrieval";
import { citedAnswer, r2rag } from "../programs/r2rag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../trainsets/four-shelves/index.ts";
import { lowThreshold, r2ragParts } from "./support/r2rag-parts.ts";

const shelves = corpus(await fourShelvesPassages());
const byId = new Map(shelves.passages.map((passage) => [passage.id, passage]));

export default study({
  name: "r2rag",
  program: r2rag(
    r2ragParts(
      // One file for each state of the texts, because an index never changes once it is built.
      await bm25Index({
        path: `.espalier/four-shelves-${shelves.checksum.slice(0, 12)}.sqlite`,
        corpus: shelves,
      }),
    ),
  ).with([lowThreshold]),
  trainset: await fourShelvesQuestions(),
  objective: citedAnswer({ passageOf: (id) => byId.get(id) }),
  optimizer: gepa({ budget: { metricCalls: 2_000 }, search: { frontier: "hybrid" } }),
});
