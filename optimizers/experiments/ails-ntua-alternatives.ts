/**
 * AILS-NTUA's retrieval beside what its authors tried and left: `espalier experiment
 * optimizers/experiments/ails-ntua-alternatives.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import { experiment } from "espalier";
import alternatives from "../ails-ntua-alternatives.ts";
import taskA from "../ails-ntua-task-a.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";
import { withVariants } from "./support/with-variants.ts";

const informed = withVariants(alternatives, "informed");
const byLm = withVariants(alternatives, "lm-reranker");

export default experiment({
  name: "ails-ntua-alternatives",
  title: "Task A: decomposition, informed rewriting and an LM that reranks",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 16, 20 and 23, appendix B.6",
  breakdowns: conversationBreakdowns,
  rows: [
    { name: "ails-ntua", study: taskA },
    { name: "decomposition", study: withVariants(alternatives, "decomposition") },
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
