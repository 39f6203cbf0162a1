/**
 * One search for each turn, as typed, as a person reworded it, or with one of AILS-NTUA's rewrites:
 * `espalier experiment optimizers/experiments/mtrag-baselines.ts`; on MTRAG with `--trainset mtrag`
 * and ESPALIER_MTRAG_DIR.
 */
import type { Candidate, PublishedFigure } from "espalier";
import { experiment, study } from "espalier";
import type { Parts } from "espalier/servers";
import baselines from "../mtrag-baselines.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";

export default experiment({
  name: "mtrag-baselines",
  title: "One search, with the last turn or one rewrite of it",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 14, 16, 26 and 27; Katsis et al. 2025, MTRAG",
  breakdowns: conversationBreakdowns,
  rows: [
    {
      name: "last-turn",
      study: baselines,
      published: [
        ofBm25(0.153, "recall_5", "table 14, R@5"),
        ofBm25(0.13, "ndcg_cut_5", "table 14, nDCG@5"),
      ],
    },
    { name: "human-rewrite", study: byHumanRewrite },
    { name: "minimal-rewrite", study: baselines, candidate: reranked("minimal") },
    { name: "corpus-specific-rewrite", study: baselines, candidate: reranked("corpusSpecific") },
    { name: "chain-of-thought-rewrite", study: baselines, candidate: reranked("chainOfThought") },
    { name: "hypothetical-passage", study: baselines, candidate: reranked("hypothetical") },
    { name: "anchor-keyword-rewrite", study: baselines, candidate: reranked("anchorKeyword") },
  ],
});

/** Without rewriting; with ELSER they have 0.483 and 0.444. */
function ofBm25(value: number, metric: string, of: string): PublishedFigure {
  const differs = "theirs is on the 777 queries of MTRAG's dev set, over the whole collections";
  return { value, metric, of, trainset: "mtrag", differs };
}

/** The human rewrite is a label, and so no parameter: these rows are variants of the study. */
async function byHumanRewrite(parts: Parts) {
  const { variants = {} } = await baselines(parts);
  const { "human-rewrite": own, "mtrag-human-rewrite": onMtrag } = variants;
  if (own === undefined || onMtrag === undefined) {
    throw new TypeError("The study has no variants with the human rewrite.");
  }
  return study({ ...(await own()), variants: { mtrag: onMtrag, "mtrag-last-turn": onMtrag } });
}

/** What a rewrite found, fused with the reranker's order as in the whole system. */
function reranked(query: string): Candidate {
  return withParameters({ searchedBy: query, ranking: "fused" });
}
