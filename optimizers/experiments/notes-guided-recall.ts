/**
 * Recall@10 of the notes-guided retriever before and after GEPA, on 50 stratified training
 * examples: `espalier experiment optimizers/experiments/notes-guided-recall.ts`; on MTRAG with
 * `--trainset mtrag` and ESPALIER_MTRAG_DIR.
 */
import { experiment } from "espalier";
import type { Parts } from "espalier/servers";
import notesGuided from "../notes-guided.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withTrainingSample } from "./support/with-training-sample.ts";

const sampled = async (parts: Parts) =>
  withTrainingSample(await notesGuided(parts), { count: 50, seed: 0 });

export default experiment({
  name: "notes-guided-recall",
  title: "Retrieval before and after GEPA",
  source: "NLP-CEIA-UFG, SemEval-2026 Task 8: section 3.1, appendix B and table 1",
  breakdowns: conversationBreakdowns,
  rows: [
    { name: "as-declared", study: sampled },
    {
      name: "optimized",
      study: sampled,
      optimize: true,
      published: [
        {
          value: 0.4502,
          metric: "ndcg_cut_5",
          of: "table 1, nDCG@5",
          trainset: "mtrag-un",
          differs:
            "theirs is on the 507 turns of MTRAG-UN with gpt-oss-120b, Gemini embeddings and jina-reranker-v3; they print no recall@10 and no figure before GEPA",
        },
      ],
    },
  ],
});
