/**
 * One search for each turn, as typed, as a person reworded it, or with one of AILS-NTUA's rewrites:
 * `espalier experiment optimizers/experiments/mtrag-baselines.ts`; on MTRAG with `--trainset mtrag`
 * and ESPALIER_MTRAG_DIR.
 */
import type { ExperimentRow, PublishedFigure } from "espalier";
import { experiment, study } from "espalier";
import type { Parts } from "espalier/servers";
import type { Strategy } from "../../programs/ails-ntua/retrieval/index.ts";
import baselines from "../mtrag-baselines.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { publishedGroups } from "./support/published-groups.ts";
import { withParameters } from "./support/with-parameters.ts";

const devSet = "theirs is on the 777 queries of MTRAG's dev set";

export default experiment({
  name: "mtrag-baselines",
  title: "One search, with the last turn or one rewrite of it",
  source:
    "AILS-NTUA, SemEval-2026 Task 8: tables 14, 16, 20, 22 and 25 to 27; Katsis et al. 2025, MTRAG",
  breakdowns: conversationBreakdowns,
  rows: [
    {
      name: "last-turn",
      study: baselines,
      published: [
        ofBm25(0.153, "recall_5", "table 14, R@5"),
        ofBm25(0.13, "ndcg_cut_5", "table 14, nDCG@5"),
        ...publishedGroups("standalone", { standalone: 0.879, dependent: 0.44 }, byElser(27)),
        ...publishedGroups(
          "collection",
          { clapnq: 0.528, fiqa: 0.419, govt: 0.507, cloud: 0.477 },
          byElser(25),
        ),
      ],
    },
    { name: "human-rewrite", study: byHumanRewrite },
    rewritten("minimal-rewrite", "minimal", {
      recall: 0.527,
      ndcg: 0.487,
      recalls: { clapnq: 0.622, fiqa: 0.466, govt: 0.561, cloud: 0.463 },
    }),
    rewritten("corpus-specific-rewrite", "corpusSpecific", {
      recall: 0.541,
      ndcg: 0.498,
      recalls: { clapnq: 0.637, fiqa: 0.491, govt: 0.572, cloud: 0.462 },
    }),
    rewritten("chain-of-thought-rewrite", "chainOfThought", {
      recall: 0.521,
      ndcg: 0.482,
      recalls: { clapnq: 0.575, fiqa: 0.475, govt: 0.58, cloud: 0.457 },
    }),
    rewritten("hypothetical-passage", "hypothetical", {
      recall: 0.485,
      ndcg: 0.445,
      recalls: { clapnq: 0.566, fiqa: 0.392, govt: 0.55, cloud: 0.431 },
    }),
    rewritten("anchor-keyword-rewrite", "anchorKeyword", {
      recall: 0.501,
      ndcg: 0.46,
      recalls: { clapnq: 0.598, fiqa: 0.419, govt: 0.564, cloud: 0.429 },
    }),
    {
      name: "minimal-rewrite-reranked",
      study: baselines,
      candidate: withParameters({ searchedBy: "minimal", ranking: "reranked" }),
      against: "minimal-rewrite",
      published: [{ value: 0.481, ...reranked("recall_5", "table 22, R@5") }],
    },
    {
      name: "minimal-rewrite-fused",
      study: baselines,
      candidate: withParameters({ searchedBy: "minimal", ranking: "fused" }),
      against: "minimal-rewrite",
      published: [
        { value: 0.594, ...reranked("recall_5", "tables 20 and 22, R@5") },
        { value: 0.508, ...reranked("ndcg_cut_5", "table 20, nDCG@5") },
      ],
    },
  ],
});

/** What one rewrite alone finds, in the order of the search (table 16, by collection table 26). */
function rewritten(
  name: string,
  strategy: Strategy,
  {
    recall,
    ndcg,
    recalls,
  }: {
    readonly recall: number;
    readonly ndcg: number;
    readonly recalls: Readonly<Record<string, number>>;
  },
): ExperimentRow {
  return {
    name,
    study: baselines,
    candidate: withParameters({ searchedBy: strategy }),
    published: [
      { value: recall, ...ofElser("recall_5", "table 16, R@5") },
      { value: ndcg, ...ofElser("ndcg_cut_5", "table 16, nDCG@5") },
      ...publishedGroups("collection", recalls, ofElser("recall_5", "table 26, R@5")),
    ],
  };
}

function ofElser(metric: string, of: string, reranker = "without a reranker") {
  const differs = `${devSet}, with ELSER and DeepSeek-V3.2, ${reranker}`;
  return { metric, of, trainset: "mtrag", differs };
}

function reranked(metric: string, of: string) {
  return ofElser(metric, of, "with Cohere Rerank v4");
}

/** Without rewriting. */
function ofBm25(value: number, metric: string, of: string): PublishedFigure {
  const differs = `${devSet}, over the whole collections`;
  return { value, metric, of, trainset: "mtrag", differs };
}

/** They print groups of turns without rewriting for ELSER alone: 0.483 of all, not 0.153. */
function byElser(table: number) {
  const differs = `${devSet}, with ELSER, which has 0.483 of all`;
  return { metric: "recall_5", of: `table ${table}, R@5`, trainset: "mtrag", differs };
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
