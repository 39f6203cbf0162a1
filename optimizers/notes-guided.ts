/**
 * Optimizes the notes-guided retriever for recall@10 on four shelves:
 * `espalier optimize optimizers/notes-guided.ts`.
 */
import { study } from "espalier";
import { rehearsalEmbedder } from "espalier/rehearsal";
import { bm25Index, corpus, denseIndex, lexicalReranker } from "espalier/retrieval";
import { notesGuidedRetrieval, recallWithFeedback } from "../programs/notes-guided/index.ts";
import { fourShelves, fourShelvesPassages } from "../trainsets/four-shelves/index.ts";

const passages = await fourShelvesPassages();
const byId = new Map(passages.map((passage) => [passage.id, passage]));
const shelves = corpus(passages);
// A file for each state of the texts: an index never changes once it is built.
const path = `.espalier/four-shelves-${shelves.checksum.slice(0, 12)}.sqlite`;
const index = { path, corpus: shelves };
const sparse = await bm25Index(index);

export default study({
  name: "notes-guided",
  program: notesGuidedRetrieval({
    sparse,
    dense: await denseIndex({ ...index, embedder: rehearsalEmbedder() }),
    reranker: lexicalReranker({ index: sparse }),
  }),
  trainset: await fourShelves(),
  objective: recallWithFeedback({ k: 10, passageOf: (id) => byId.get(id) }),
});
