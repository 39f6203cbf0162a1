/**
 * What AILS-NTUA's rewriters, weights and reranker are worth: `espalier experiment
 * optimizers/experiments/ails-ntua-fusion.ts`
 */
import type { PublishedFigure } from "espalier";
import { experiment } from "espalier";
import recall from "../ails-ntua-recall.ts";
import searched from "../ails-ntua-recall-parameters.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withParameters, withWeights } from "./support/with-parameters.ts";

export default experiment({
  name: "ails-ntua-fusion",
  title: "Rewriters, fusion weights and reranking",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 4 and 24, section B.9",
  breakdowns: conversationBreakdowns,
  rows: [
    {
      name: "published-weights",
      study: recall,
      published: [theirs(0.607, "recall_5", "table 4, R@5 with nested fusion")],
    },
    {
      name: "uniform-weights",
      study: recall,
      candidate: withWeights({ Minimal: 1 / 3, CorpusSpecific: 1 / 3, Weak: 1 / 3 }),
    },
    {
      name: "minimal-alone",
      study: recall,
      candidate: withWeights({ Minimal: 1, CorpusSpecific: 0, Weak: 0 }),
    },
    {
      name: "corpus-specific-alone",
      study: recall,
      candidate: withWeights({ Minimal: 0, CorpusSpecific: 1, Weak: 0 }),
    },
    {
      name: "without-reranker",
      study: recall,
      candidate: withParameters({ rerankWeight: 0 }),
    },
    { name: "searched-weights", study: searched, optimize: true },
  ],
});

function theirs(value: number, metric: string, of: string): PublishedFigure {
  return {
    value,
    metric,
    of,
    differs:
      "theirs is on the 777 queries of MTRAG's dev set, with ELSER, Cohere Rerank v4 and DeepSeek-V3.2",
  };
}
