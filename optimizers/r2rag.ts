/**
 * Optimizes R2RAG, router and both pipelines together, for answers that are right and cite what they
 * rest on, on questions over four shelves: `espalier optimize optimizers/r2rag.ts`.
 */
import { study } from "espalier";
import { estimatingTokenizer } from "espalier/lm";
import { gepa } from "espalier/optimizer";
import { rehearsalScorer } from "espalier/rehearsal";
import { bm25Index, corpus, pairReranker } from "espalier/retrieval";
import { citedAnswer, r2rag } from "../programs/r2rag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../trainsets/four-shelves/index.ts";

const shelves = corpus(await fourShelvesPassages());
const byId = new Map(shelves.passages.map((passage) => [passage.id, passage]));

/** A scorer that needs no model: its scores stay below .3 where a model's P(yes) is near 1. */
const reranker = pairReranker({ scorer: rehearsalScorer() });
const threshold = { kind: "parameter", path: "threshold", value: 0.1 } as const;

export default study({
  name: "r2rag",
  program: r2rag({
    // A file for each state of the texts: an index never changes once it is built.
    retriever: await bm25Index({
      path: `.espalier/four-shelves-${shelves.checksum.slice(0, 12)}.sqlite`,
      corpus: shelves,
    }),
    reranker,
    // The server of a run is named on the command line, after this file is read.
    tokenizer: estimatingTokenizer(),
    // Greedy, unlike the authors' 0.6: a difference between candidates is then the instruction's.
    sampling: { temperature: 0, maxCompletionTokens: 4_096 },
  }).with([threshold]),
  trainset: await fourShelvesQuestions(),
  objective: citedAnswer({ passageOf: (id) => byId.get(id) }),
  optimizer: gepa({ budget: { metricCalls: 2_000 }, frontier: "hybrid" }),
});
