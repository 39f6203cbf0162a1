/**
 * AILS-NTUA's retrieval beside what its authors tried and left: `espalier experiment
 * optimizers/experiments/ails-ntua-alternatives.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import type { ExperimentRow, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import alternatives from "../ails-ntua-alternatives.ts";
import taskA from "../ails-ntua-task-a.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";
import { withVariants } from "./support/with-variants.ts";

const byType = withVariants(alternatives, "question-type");
const informed = withVariants(alternatives, "informed");
const unranked = "ELSER and a model that they do not name";
const reranked = "ELSER, Cohere Rerank v4 and a model that they do not name";

export default experiment({
  name: "ails-ntua-alternatives",
  title: "Task A: decomposition, question types, informed rewriting and an LM that reranks",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 16, 20 and 23, appendix B.6",
  breakdowns: conversationBreakdowns,
  rows: [
    {
      name: "ails-ntua",
      study: taskA,
      published: [
        theirs(
          0.725,
          "recall_10",
          "table 23, R@10 of weighted RRF",
          "ELSER, Cohere Rerank v4 and DeepSeek-V3.2",
        ),
      ],
    },
    {
      name: "decomposition",
      study: withVariants(alternatives, "decomposition"),
      published: alone(0.539, 0.478),
    },
    {
      name: "question-type",
      study: byType,
      published: alone(0.513, 0.47),
    },
    {
      name: "question-type-by-model",
      study: byType,
      candidate: withParameters({ typedBy: "model" }),
      against: "question-type",
    },
    {
      name: "question-type-ignored",
      study: byType,
      candidate: withParameters({ typedBy: "nothing" }),
      against: "question-type",
    },
    {
      name: "informed-by-minimal-rewrite",
      study: informed,
      published: byPassages("minimal rewrite", 0.52, 0.485, unranked),
    },
    {
      name: "informed-by-reranked-passages",
      study: informed,
      candidate: withParameters({ ranking: "fused" }),
      published: byPassages("minimal rewrite and reranker", 0.541, 0.503, reranked),
    },
    {
      name: "informed-by-last-turn",
      study: informed,
      candidate: withParameters({ firstQuery: "last-turn" }),
      published: byPassages("original query", 0.504, 0.472, unranked),
    },
    byModel("pointwise", 0.701),
    byModel("listwise", 0.688),
    byModel("generation", 0.618),
  ],
});

/** A model as the last reranker. */
function byModel(lmRanking: string, recall: number): ExperimentRow {
  return {
    name: `${lmRanking}-lm`,
    study: withVariants(alternatives, "lm-reranker"),
    candidate: withParameters({ lmRanking }),
    published: [theirs(recall, "recall_10", "table 23, R@10", reranked)],
  };
}

/** A strategy of rewriting by itself. */
function alone(recall: number, ndcg: number): readonly PublishedFigure[] {
  const models = "ELSER, DeepSeek-V3.2 and a prompt that they do not print";
  return [
    theirs(recall, "recall_5", "table 16, R@5", models),
    theirs(ndcg, "ndcg_cut_5", "table 16, nDCG@5", models),
  ];
}

function byPassages(
  first: string,
  recall: number,
  ndcg: number,
  models: string,
): readonly PublishedFigure[] {
  return [
    theirs(recall, "recall_5", `table 20, R@5 of PIR by ${first}`, models),
    theirs(ndcg, "ndcg_cut_5", `table 20, nDCG@5 of PIR by ${first}`, models),
  ];
}

function theirs(value: number, metric: string, of: string, models: string): PublishedFigure {
  const differs = `theirs is on the 777 queries of MTRAG's dev set, with ${models}`;
  return { value, metric, of, trainset: "mtrag", differs };
}
