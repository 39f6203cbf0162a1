/**
 * AILS-NTUA's answers from given passages, and its sweeps: `espalier experiment
 * optimizers/experiments/ails-ntua-task-b.ts`; on MTRAG's reference passages with `--trainset
 * mtrag` and ESPALIER_MTRAG_DIR.
 */
import type { ExperimentRow, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import taskB from "../ails-ntua-task-b.ts";
import {
  abstentionRate,
  byAbstention,
  conversationBreakdowns,
} from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";

export default experiment({
  name: "ails-ntua-task-b",
  title: "Task B: passages, user judge and extractiveness",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 13 and 34 to 36",
  figures: [abstentionRate],
  breakdowns: [byAbstention, ...conversationBreakdowns],
  rows: [
    {
      name: "ails-ntua",
      study: taskB,
      published: [
        theirs(0.7698, "table 13, HM"),
        theirs(0.6327, "test, RB_agg", "rb_agg"),
        theirs(0.8971, "test, RL_F", "rl_f"),
        theirs(0.8321, "test, RB_llm", "rb_llm"),
      ],
    },
    ...[1, 2, 3, 7, 10].map((count) => changed(`passages-${count}`, { answerPassages: count })),
    ...[0, 30, 80, 100].map((percent) =>
      changed(`user-judge-${percent}`, { userJudgeRate: percent / 100 }),
    ),
    changed("without-band", { belowBonus: 0, idealBonus: 0, acceptableBonus: 0, aboveBonus: 0 }),
  ],
});

function changed(name: string, values: Readonly<Record<string, number>>): ExperimentRow {
  return { name, study: taskB, candidate: withParameters(values) };
}

function theirs(value: number, of: string, metric?: string): PublishedFigure {
  return {
    value,
    of,
    ...(metric !== undefined && { metric }),
    differs:
      "theirs is on the test set of the task, MTRAG-UN, with GPT-4o, GPT-4o-mini and DeepSeek-V3.2, and the organizers' judges",
  };
}
