/**
 * How much of the conversation AILS-NTUA's minimal rewriter reads: `espalier experiment
 * optimizers/experiments/ails-ntua-history.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import { experiment } from "espalier";
import baselines from "../mtrag-baselines.ts";
import { conversationBreakdowns } from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";

/** Turns of the user, and after the `+` of the assistant, with their R@5; what they kept first. */
const windows = [
  ["6+3", 0.533],
  ["none", 0.49],
  ["all", 0.531],
  ["2", 0.506],
  ["4", 0.528],
  ["6", 0.53],
  ["8", 0.528],
  ["6+1", 0.528],
  ["6+5", 0.532],
] as const;

export default experiment({
  name: "ails-ntua-history",
  title: "Task A: the conversation that a rewriter reads",
  source: "AILS-NTUA, SemEval-2026 Task 8: table 18, appendix B.4",
  breakdowns: conversationBreakdowns,
  rows: windows.map(([turns, value]) => ({
    name: `turns-${turns.replace("+", "-and-")}`,
    study: baselines,
    candidate: withParameters({ searchedBy: "minimal", rewriterTurns: turns }),
    published: [
      {
        value,
        metric: "recall_5",
        of: "table 18, R@5",
        trainset: "mtrag",
        differs:
          "theirs is on the 777 queries of MTRAG's dev set, with ELSER, DeepSeek-V3.2 and a rewriter that they do not name",
      },
    ],
  })),
});
