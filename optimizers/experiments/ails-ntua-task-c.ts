/**
 * AILS-NTUA's gate and the confidence from which it refuses: `espalier experiment
 * optimizers/experiments/ails-ntua-task-c.ts`; on MTRAG with `--trainset mtrag` and
 * ESPALIER_MTRAG_DIR.
 */
import type { ExperimentRow, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import taskC from "../ails-ntua-task-c.ts";
import { answerabilityFigures } from "./support/answerability-figures.ts";
import {
  abstentionRate,
  byAbstention,
  conversationBreakdowns,
} from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";

const models = "with ELSER, Cohere Rerank v4 and GPT-4o as judges of the gate";

const data = {
  mtrag: "the 842 turns of MTRAG's dev set",
  "mtrag-un": "the test set of the task, MTRAG-UN",
} as const;

export default experiment({
  name: "ails-ntua-task-c",
  title: "Task C: gate, passages and threshold",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 6, 13, 38 and 39",
  note: "The paper finds that no gate exceeds 25 % F1 on unanswerable turns: each that refuses more of them also refuses more answerable ones (table 6).",
  figures: [abstentionRate, ...answerabilityFigures],
  breakdowns: [byAbstention, ...conversationBreakdowns],
  rows: [
    {
      name: "ails-ntua",
      study: taskC,
      published: [
        onTest(0.5409, "table 13, HM"),
        onTest(0.3998, "test, RB_agg", "rb_agg"),
        onTest(0.729, "test, RL_F", "rl_f"),
        onTest(0.598, "test, RB_llm", "rb_llm"),
        onDev(0.61, "table 39, HM"),
        ...ofRefusals(0.958, 0.218, 0.24),
      ],
    },
    changed("lm-arbiter", { arbiter: "lm" }, onDev(0.61, "table 39, HM")),
    changed("without-gate", { gate: "none" }, onDev(0.518, "table 39, HM"), ...ofRefusals(1, 0, 0)),
    changed(
      "single-judge-five-passages",
      { gate: "single-judge", contextPassages: 5 },
      onDev(0.561, "table 39, HM"),
    ),
    changed("single-judge", { gate: "single-judge" }, ...ofRefusals(0.946, 0.182, 0.215)),
    changed("five-passages", { contextPassages: 5 }, onDev(0.586, "table 39, HM")),
    changed("one-passage", { contextPassages: 1 }, onDev(0.591, "table 39, HM")),
    refusing(50, 0.573, 0.892, 0.261),
    refusing(60, 0.591, 0.923, 0.251),
    refusing(80, 0.597, 0.971, 0.198),
    refusing(90, 0.578, 0.986, 0.162),
    { name: "searched-threshold", study: taskC, optimize: true },
  ],
});

function changed(
  name: string,
  values: Readonly<Record<string, string | number>>,
  ...published: readonly PublishedFigure[]
): ExperimentRow {
  return { name, study: taskC, candidate: withParameters(values), published };
}

function refusing(percent: number, hm: number, answerable: number, f1: number): ExperimentRow {
  return changed(
    `refuse-from-${percent}`,
    { refusalConfidence: percent / 100 },
    onDev(hm, "table 38, HM"),
    onDev(answerable, "table 38, ANS R", "answerable_recall"),
    onDev(f1, "table 38, UNANS F1", "unanswerable_f1"),
  );
}

function ofRefusals(
  answerable: number,
  unanswerable: number,
  f1: number,
): readonly PublishedFigure[] {
  return [
    onDev(answerable, "table 6, ANS R", "answerable_recall"),
    onDev(unanswerable, "table 6, UNANS R", "unanswerable_recall"),
    onDev(f1, "table 6, UNANS F1", "unanswerable_f1"),
  ];
}

function onTest(value: number, of: string, metric?: string): PublishedFigure {
  return published(value, of, metric, "mtrag-un");
}

function onDev(value: number, of: string, metric?: string): PublishedFigure {
  return published(value, of, metric, "mtrag");
}

function published(
  value: number,
  of: string,
  metric: string | undefined,
  trainset: keyof typeof data,
): PublishedFigure {
  const differs = `theirs is on ${data[trainset]}, ${models}, and the organizers' judges`;
  return { value, of, ...(metric !== undefined && { metric }), trainset, differs };
}
