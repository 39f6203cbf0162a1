import type { LanguageModel, LmRole } from "../../../contract/index.ts";
import { failureOf } from "../../../errors/index.ts";
import type { Evaluation } from "../../../evaluate/index.ts";
import { evaluate, EvaluationStopped } from "../../../evaluate/index.ts";
import { mapValues } from "../../../internal/index.ts";
import type { LedgerSnapshot } from "../../../ledger/index.ts";
import { ledger } from "../../../ledger/index.ts";
import { ledgered } from "../../../lm/index.ts";
import type { Budget, CappedReplies, PriceTable } from "../../../optimizer/index.ts";
import { cappedReplies } from "../../../optimizer/index.ts";
import { runFolderFiles } from "../../../optimizer/files.ts";
import { routedLm } from "../../lm/open-lms.ts";
import { progressLine } from "../../terminal/progress-line.ts";
import { budgetText } from "./row-fault.ts";
import type { PreparedRow } from "./prepared-row.ts";
import type { Spent } from "./row-record.ts";
import { rowFiles } from "./row-record.ts";
import type { RowRun } from "./search-row.ts";

/** A row's figures and what they cost; or which cap stopped it, and after how many examples. */
export type RowScore =
  | {
      readonly evaluation: Evaluation;
      readonly costs: LedgerSnapshot;
      readonly billed: ReturnType<CappedReplies["billed"]>;
      readonly spent: Spent;
    }
  | { readonly notRun: string; readonly scored: number };

/** Scores a program on the experiment's split, under what is left of the budget. */
export async function scoreRow(
  { declared, study, examples }: PreparedRow,
  {
    experiment,
    runFolder,
    opened,
    prices,
    seed,
    signal,
    program,
    left,
  }: RowRun & { readonly program: PreparedRow["study"]["program"]; readonly left: Budget },
): Promise<RowScore> {
  const { reportReplies } = runFolderFiles(rowFiles(runFolder, declared.name).folder);
  const caps = { budget: left, prices, signal };
  using replies = cappedReplies(routedLm(opened), reportReplies, caps);
  const costs = ledger();
  const counted = (lm: LanguageModel): LanguageModel => ledgered(lm, costs);
  using progress = progressLine(`${declared.name} on ${experiment.split}`);
  try {
    const evaluation = await evaluate({
      program,
      examples,
      metric: study.objective,
      lm: counted(replies.lm),
      lms: mapValues(opened.lms, (lm) => counted(replies.record(lm))),
      wrapTool: (tool) => replies.wrapTool(tool),
      concurrency: opened.concurrency,
      stopsOnAbsence: true,
      seed,
      signal: replies.signal,
      onEvent: (event) => {
        progress.onEvent(event);
        if (event.kind === "example-end") replies.noteTime();
      },
    });
    const spent = spentOf(replies, { examples: examples.length, prices });
    return { evaluation, costs: costs.snapshot(), billed: replies.billed(), spent };
  } catch (error) {
    const cause = replies.outOfTime() ?? error;
    if (failureOf(cause).kind !== "budget") throw error;
    const scored = EvaluationStopped.isInstance(error) ? error.rows.length : 0;
    const of = `stopped after ${scored} of ${examples.length} examples`;
    return { notRun: `${of}: ${budgetText(cause)}`, scored };
  }
}

function spentOf(
  replies: CappedReplies,
  { examples, prices }: { readonly examples: number; readonly prices: PriceTable | undefined },
): Spent {
  const { lmCalls, promptTokens, completionTokens, costUsd, wallTimeMs } = replies.spent();
  const billed: ReturnType<CappedReplies["billed"]> = replies.billed();
  const roles = Object.keys(billed) as LmRole[];
  return {
    metricCalls: examples,
    reflectionCalls: 0,
    lmCalls,
    promptTokens,
    completionTokens,
    billedCalls: roles.reduce((sum, role) => sum + (billed[role]?.calls ?? 0), 0),
    usd: prices === undefined ? null : costUsd,
    seconds: wallTimeMs / 1000,
  };
}
