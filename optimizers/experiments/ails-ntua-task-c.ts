/**
 * AILS-NTUA's gate and the confidence from which it refuses: `espalier experiment
 * optimizers/experiments/ails-ntua-task-c.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import type { ExperimentRow, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import taskC from "../ails-ntua-task-c.ts";
import {
  abstentionRate,
  byAbstention,
  conversationBreakdowns,
} from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";

export default experiment({
  name: "ails-ntua-task-c",
  title: "Task C: gate, passages and threshold",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 13, 38 and 39",
  figures: [abstentionRate],
  breakdowns: [byAbstention, ...conversationBreakdowns],
  rows: [
    {
      name: "ails-ntua",
      study: taskC,
      published: [
        theirs(0.5409, "table 13, HM"),
        theirs(0.3998, "test, RB_agg", "rb_agg"),
        theirs(0.729, "test, RL_F", "rl_f"),
        theirs(0.598, "test, RB_llm", "rb_llm"),
      ],
    },
    changed("without-gate", { gate: "none" }),
    changed("single-judge-five-passages", { gate: "single-judge", contextPassages: 5 }),
    changed("single-judge", { gate: "single-judge" }),
    changed("five-passages", { contextPassages: 5 }),
    changed("one-passage", { contextPassages: 1 }),
    ...[50, 60, 80, 90].map((percent) =>
      changed(`refuse-from-${percent}`, { refusalConfidence: percent / 100 }),
    ),
    { name: "searched-threshold", study: taskC, optimize: true },
  ],
});

function changed(name: string, values: Readonly<Record<string, string | number>>): ExperimentRow {
  return { name, study: taskC, candidate: withParameters(values) };
}

function theirs(value: number, of: string, metric?: string): PublishedFigure {
  return {
    value,
    of,
    ...(metric !== undefined && { metric }),
    differs:
      "theirs is on the test set of the task, MTRAG-UN, with ELSER, Cohere Rerank v4 and GPT-4o as judges of the gate, and the organizers' judges",
  };
}
