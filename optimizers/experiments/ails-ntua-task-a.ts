/**
 * AILS-NTUA's retrieval with other weights and rankings: `espalier experiment
 * optimizers/experiments/ails-ntua-task-a.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import type { PublishedFigure } from "espalier";
import { experiment } from "espalier";
import taskA from "../ails-ntua-task-a.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withVariants } from "./support/with-variants.ts";
import { withParameters, withWeights } from "./support/with-parameters.ts";

const data = {
  mtrag: "the 777 queries of MTRAG's dev set",
  "mtrag-un": "the test set of the task, MTRAG-UN",
} as const;

export default experiment({
  name: "ails-ntua-task-a",
  title: "Task A: weights, reranker and retrievers",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 13, 15, 21, 22, 24, 25 and 27, figure 8",
  breakdowns: conversationBreakdowns,
  rows: [
    {
      name: "ails-ntua",
      study: taskA,
      published: [
        {
          value: 0.444,
          metric: "recall_5",
          of: "table 15, R@5 of BM25",
          trainset: "mtrag",
          differs:
            "theirs is on the 777 queries of MTRAG's dev set, with Cohere Rerank v4 and DeepSeek-V3.2; with ELSER in place of BM25 it is 0.607",
        },
        theirs(0.5776, "ndcg_cut_5", "table 13, nDCG@5", "mtrag-un"),
      ],
    },
    {
      name: "uniform-weights",
      study: taskA,
      candidate: withWeights({ Minimal: 0.34, CorpusSpecific: 0.33, Weak: 0.33 }),
    },
    { name: "without-weak-consensus", study: taskA, candidate: withWeights({ Weak: 0 }) },
    {
      name: "without-reranker",
      study: taskA,
      candidate: withParameters({ rerankWeight: 0 }),
    },
    { name: "reranker-alone", study: withVariants(taskA, "reranker-alone") },
    { name: "ensemble", study: withVariants(taskA, "ensemble") },
    // The weights of reranker and weak consensus; ails-ntua-fusion searches all, on four shelves.
    { name: "searched-consensus", study: taskA, optimize: true },
  ],
});

function theirs(
  value: number,
  metric: string,
  of: string,
  trainset: keyof typeof data,
): PublishedFigure {
  const differs = `theirs is on ${data[trainset]}, with ELSER, Cohere Rerank v4 and DeepSeek-V3.2`;
  return { value, metric, of, trainset, differs };
}
