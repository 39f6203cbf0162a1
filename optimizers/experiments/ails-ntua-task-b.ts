/**
 * AILS-NTUA's answers from given passages, and its sweeps: `espalier experiment
 * optimizers/experiments/ails-ntua-task-b.ts`; on MTRAG's reference passages with `--trainset
 * mtrag` and ESPALIER_MTRAG_DIR.
 */
import type { ExperimentRow, PublishedFigure } from "espalier";
import { experiment } from "espalier";
import type { GenerationStage } from "../../programs/ails-ntua/index.ts";
import taskB from "../ails-ntua-task-b.ts";
import {
  abstentionRate,
  byAbstention,
  conversationBreakdowns,
} from "./support/conversation-breakdowns.ts";
import { withParameters } from "./support/with-parameters.ts";
import { withVariants } from "./support/with-variants.ts";

const models = "with GPT-4o, GPT-4o-mini and DeepSeek-V3.2, and the organizers' judges";

export default experiment({
  name: "ails-ntua-task-b",
  title: "Task B: stages, passages, user judge and extractiveness",
  source: "AILS-NTUA, SemEval-2026 Task 8: tables 5, 13 and 34 to 36, appendix C.6.4",
  figures: [abstentionRate],
  breakdowns: [byAbstention, ...conversationBreakdowns],
  rows: [
    {
      name: "ails-ntua",
      study: taskB,
      published: [
        onTest(0.7698, "table 13, HM"),
        onTest(0.6327, "test, RB_agg", "rb_agg"),
        onTest(0.8971, "test, RL_F", "rl_f"),
        onTest(0.8321, "test, RB_llm", "rb_llm"),
        onDev(0.743, "table 5, HM"),
      ],
    },
    upTo("one-answer", [onDev(0.654, "table 5, HM")]),
    upTo("spans", [onDev(0.688, "table 5, HM")]),
    upTo("two-answers", [onDev(0.706, "table 5, HM")]),
    upTo("technical-judge", [onDev(0.725, "table 5, HM")]),
    upTo("user-judge", [onDev(0.738, "table 5, HM")]),
    ...passages([1, 0.701], [2, 0.718], [3, 0.733], [7, 0.738], [10, 0.729]),
    ...userJudge([0, 0.725], [30, 0.731], [80, 0.739], [100, 0.74]),
    changed(
      "without-band",
      { belowBonus: 0, idealBonus: 0, acceptableBonus: 0, aboveBonus: 0 },
      onDev(0.724, "table 35, HM without shaping"),
    ),
    ...[0, 2, 20].map((turns) => changed(`history-${turns}`, { answerTurns: turns })),
  ],
});

function changed(
  name: string,
  values: Readonly<Record<string, number>>,
  ...published: readonly PublishedFigure[]
): ExperimentRow {
  return { name, study: taskB, candidate: withParameters(values), published };
}

/** The pipeline as far as one of its stages. */
function upTo(stage: GenerationStage, published: readonly PublishedFigure[] = []): ExperimentRow {
  return { name: stage, study: withVariants(taskB, stage), published };
}

function passages(...rows: readonly (readonly [count: number, theirs: number])[]) {
  return rows.map(([count, theirs]) =>
    changed(`passages-${count}`, { answerPassages: count }, onDev(theirs, "table 34, HM")),
  );
}

/** Without adjustments: at 60 % the authors' figure is that of table 5 before these. */
function userJudge(...rows: readonly (readonly [percent: number, theirs: number])[]) {
  return rows.map(([percent, theirs]): ExperimentRow => ({
    ...upTo("user-judge", [onDev(theirs, "table 36, HM")]),
    name: `user-judge-${percent}`,
    candidate: withParameters({ userJudgeRate: percent / 100 }),
  }));
}

function onTest(value: number, of: string, metric?: string): PublishedFigure {
  return {
    value,
    of,
    ...(metric !== undefined && { metric }),
    trainset: "mtrag-un-with-passages",
    differs: `theirs is on the test set of the task, MTRAG-UN, ${models}`,
  };
}

function onDev(value: number, of: string): PublishedFigure {
  const differs = `theirs is on the 842 turns of MTRAG's dev set, ${models}`;
  return { value, of, trainset: "mtrag-with-passages", differs };
}
