/**
 * Fits how likely R2RAG's review must find the documents sufficient to end the research, for
 * correct answers that cite their sources: `espalier optimize optimizers/r2rag-review.ts`. Two
 * weights may lead to different rounds, so each round that no run has seen takes calls.
 */
import { study } from "espalier";
import { decisionFit } from "espalier/optimizer";
import { bm25Index, corpus } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { citedAnswer, r2rag } from "../programs/r2rag/index.ts";
import { fourShelvesPassages, fourShelvesQuestions } from "../trainsets/four-shelves/index.ts";
import { indexFile } from "./support/indexes-over.ts";
import { r2ragParts, mockThreshold } from "./support/r2rag-parts.ts";

export default async (parts: Parts) => {
  const shelves = corpus(await fourShelvesPassages());
  const byId = new Map(shelves.passages.map((passage) => [passage.id, passage]));
  const searched = await bm25Index(indexFile("four-shelves", shelves));
  const weighed = { ...r2ragParts(searched, parts), sufficiency: "weighed" } as const;
  return study({
    name: "r2rag-review",
    program: r2rag(weighed).with(mockThreshold(parts)),
    trainset: await fourShelvesQuestions(),
    objective: citedAnswer({ passageOf: (id) => byId.get(id) }),
    optimizer: decisionFit(),
  });
};
