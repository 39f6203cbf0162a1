/**
 * The whole notes-guided system, by how far answers declined and by kinds of turns: `espalier
 * experiment optimizers/experiments/notes-guided-task-c.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import type { Candidate, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import taskC from "../notes-guided-task-c.ts";
import {
  abstentionRate,
  byAbstention,
  conversationBreakdowns,
} from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";

export default experiment({
  name: "notes-guided-task-c",
  title: "Answers and refusals of the whole system",
  source: "NLP-CEIA-UFG, SemEval-2026 Task 8: tables 2 to 6",
  figures: [abstentionRate],
  breakdowns: [byAbstention, ...conversationBreakdowns],
  rows: [
    {
      name: "as-declared",
      study: taskC,
      published: [
        theirs(0.3774, "table 2, HM"),
        theirs(0.2707, "table 2, RB_agg", "rb_agg"),
        theirs(0.4722, "table 2, RL_F", "rl_f"),
        theirs(0.4675, "table 2, RB_llm", "rb_llm"),
        theirs(0.755, "table 3, IDK rate overall", "idk_rate"),
      ],
    },
    { name: "one-hop", study: taskC, candidate: hops(1) },
    { name: "two-hops", study: taskC, candidate: hops(2) },
    {
      name: "five-passages",
      study: taskC,
      candidate: withParameters({ k: 5 }),
    },
  ],
});

/** Fewer rounds of retrieval than the paper's three, which it does not ablate. */
function hops(count: 1 | 2): Candidate {
  return withParameters({ hops: count });
}

function theirs(value: number, of: string, metric?: string): PublishedFigure {
  return {
    value,
    of,
    ...(metric !== undefined && { metric }),
    trainset: "mtrag-un",
    differs:
      "theirs is on the 507 turns of MTRAG-UN, with gpt-oss-120b and Gemini 2.5 Flash, IBM's judges, and a retriever optimized by GEPA",
  };
}
