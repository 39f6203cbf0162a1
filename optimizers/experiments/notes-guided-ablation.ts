/**
 * The notes-guided retriever with fewer and more rounds, and without parts of it, which its authors
 * left to future work: `espalier experiment optimizers/experiments/notes-guided-ablation.ts`; on
 * MTRAG with `--trainset mtrag` and ESPALIER_MTRAG_DIR.
 */
import type { ExperimentRow } from "espalier";
import { experiment } from "espalier";
import notesGuided from "../notes-guided.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";
import { withVariants } from "./support/with-variants.ts";

export default experiment({
  name: "notes-guided-ablation",
  title: "Retrieval by rounds, notes, dense search and reranker",
  source: "NLP-CEIA-UFG, SemEval-2026 Task 8: section 3 and Limitations, which print no figures",
  note: "The paper has three rounds, as rounds-3 has, and ablates none of this, so no figure stands beside these. There is no row without notes: a greedy round would repeat the one before it.",
  breakdowns: conversationBreakdowns,
  rows: [
    { name: "rounds-3", study: notesGuided },
    ...[1, 2, 4, 5].map((hops): ExperimentRow => ({
      name: `rounds-${hops}`,
      study: notesGuided,
      candidate: withParameters({ hops }),
    })),
    { name: "notes-of-last-round", study: withVariants(notesGuided, "last-round") },
    { name: "without-dense", study: withVariants(notesGuided, "without-dense") },
    { name: "without-reranker", study: withVariants(notesGuided, "without-reranker") },
  ],
});
