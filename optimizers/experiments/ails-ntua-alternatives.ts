/**
 * AILS-NTUA's retrieval beside what its authors tried and left: `espalier experiment
 * optimizers/experiments/ails-ntua-alternatives.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import type { PublishedFigure } from "espalier";
import { experiment } from "espalier";
import alternatives from "../ails-ntua-alternatives.ts";
import taskA from "../ails-ntua-task-a.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";
import { withVariants } from "./support/with-variants.ts";

const byType = withVariants(alternatives, "question-type");
const informed = withVariants(alternatives, "informed");
const byLm = withVariants(alternatives, "lm-reranker");

export default experiment({
  name: "ails-ntua-alternatives",
  title: "Task A: decomposition, question types, informed rewriting and an LM that reranks",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 16, 20 and 23, appendix B.6",
  breakdowns: conversationBreakdowns,
  rows: [
    { name: "ails-ntua", study: taskA },
    {
      name: "decomposition",
      study: withVariants(alternatives, "decomposition"),
      published: theirs({ recall: 0.539, ndcg: 0.478 }),
    },
    {
      name: "question-type",
      study: byType,
      published: theirs({ recall: 0.513, ndcg: 0.47 }),
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
    { name: "informed-by-minimal-rewrite", study: informed },
    {
      name: "informed-by-last-turn",
      study: informed,
      candidate: withParameters({ firstQuery: "last-turn" }),
    },
    { name: "pointwise-lm", study: byLm },
    { name: "listwise-lm", study: byLm, candidate: withParameters({ lmRanking: "listwise" }) },
    { name: "generation-lm", study: byLm, candidate: withParameters({ lmRanking: "generation" }) },
  ],
});

/** Of a strategy alone, without the reranker. */
function theirs({
  recall,
  ndcg,
}: Readonly<Record<"recall" | "ndcg", number>>): readonly PublishedFigure[] {
  const about = {
    trainset: "mtrag",
    differs:
      "theirs is on the 777 queries of MTRAG's dev set, with ELSER, DeepSeek-V3.2 and a prompt that they do not print",
  };
  return [
    { value: recall, metric: "recall_5", of: "table 16, R@5", ...about },
    { value: ndcg, metric: "ndcg_cut_5", of: "table 16, nDCG@5", ...about },
  ];
}
