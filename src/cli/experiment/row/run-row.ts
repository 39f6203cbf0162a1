import type { LanguageModel, LmRole } from "../../../contract/index.ts";
import type { EspalierError } from "../../../errors/index.ts";
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
import { writeEvaluation } from "../../eval/evaluation-file.ts";
import { routedLm } from "../../lm/open-lms.ts";
import { totalCosts } from "../../reports/total-costs.ts";
import { progressLine } from "../../terminal/progress-line.ts";
import type { PreparedRow } from "./prepared-row.ts";
import { lessThan, usedUp } from "./row-budget.ts";
import type { RowDone, Spent } from "./row-record.ts";
import { rowFiles, writeRow } from "./row-record.ts";
import type { RowRun } from "./search-row.ts";
import { searchRow } from "./search-row.ts";

/** A row's result, which is on file; or what kept a cap from it, and what it spent so far. */
export type RowEnd =
  | { readonly done: RowDone; readonly evaluation: Evaluation }
  | { readonly notRun: string; readonly spent: readonly Spent[] };

/**
 * Optimizes the program, if the row asks for it, and scores it on the experiment's split. Every
 * reply is on file before it is used, and every cap holds. A server that is away, an abort and a
 * failing program end it with their error.
 */
export async function runRow(row: PreparedRow, run: RowRun): Promise<RowEnd> {
  const { declared, study, examples, drawn } = row;
  const { experiment, runFolder, opened, servers, record, left } = run;
  const files = rowFiles(runFolder, declared.name);
  const early = cannotScore(left, examples.length);
  if (early !== undefined) return { notRun: early, spent: [] };
  const unaffordable = usedUp(record.budget);
  if (unaffordable !== undefined) {
    return { notRun: `scoring the rows leaves its optimization no \`${unaffordable}\``, spent: [] };
  }
  await writeRow(runFolder, declared.name, record);
  const search = await searchRow(row, run).catch((error: unknown) => {
    if (failureOf(error).kind !== "budget") throw error;
    return { notRun: budgetText(error) };
  });
  if ("notRun" in search) return { notRun: search.notRun, spent: [] };

  const spentBefore = search.spent === undefined ? [] : [search.spent];
  const leftNow = lessThan(left, search.charged);
  const late = cannotScore(leftNow, examples.length);
  if (late !== undefined) return { notRun: late, spent: spentBefore };
  const { reportReplies } = runFolderFiles(files.folder);
  using replies = cappedReplies(routedLm(opened), reportReplies, {
    budget: leftNow,
    prices: run.prices,
    signal: run.signal,
  });
  const scored = await score(row, { ...run, replies, program: search.program });
  const spent = spentOf(scored, replies, { examples: examples.length, prices: run.prices });
  if ("notRun" in scored) return { notRun: scored.notRun, spent: [...spentBefore, spent] };

  const { evaluation, costs } = scored;
  const standIns = opened.standIns.filter(
    ({ part }) => part !== "reflectionLm" || row.optimizer !== undefined,
  );
  const { name, version, checksum } = study.trainset;
  await writeEvaluation(files.result, {
    study: study.name,
    trainset: { name, version, checksum },
    split: experiment.split,
    drawn,
    ...opened.report(),
    standIns,
    ledger: totalCosts(
      { ledger: search.ledger },
      costs,
      replies.billed(),
      servers.costs.snapshot(),
    ),
    evaluation,
  });
  const done: RowDone = {
    evaluation: spent,
    ...(search.spent !== undefined && { search: search.spent }),
    cutShort: search.cutShort,
    ...(search.optimized !== undefined && { optimized: search.optimized }),
    standIns,
  };
  // Last, since it says that the result is on file.
  await writeRow(runFolder, declared.name, { ...record, done });
  return { done, evaluation };
}

interface Scoring extends RowRun {
  readonly replies: CappedReplies;
  readonly program: PreparedRow["study"]["program"];
}

type RowScore =
  | { readonly evaluation: Evaluation; readonly costs: LedgerSnapshot }
  | { readonly notRun: string; readonly scored: number };

async function score(
  { declared, study, examples }: PreparedRow,
  { experiment, opened, replies, program, seed }: Scoring,
): Promise<RowScore> {
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
      concurrency: opened.concurrency,
      stopsOnAbsence: true,
      seed,
      signal: replies.signal,
      onEvent: (event) => {
        progress.onEvent(event);
        if (event.kind === "example-end") replies.noteTime();
      },
    });
    return { evaluation, costs: costs.snapshot() };
  } catch (error) {
    const cause = replies.outOfTime() ?? error;
    if (failureOf(cause).kind !== "budget") throw error;
    const rows = EvaluationStopped.isInstance(error) ? error.rows.length : 0;
    const of = `stopped after ${rows} of ${examples.length} examples`;
    return { notRun: `${of}: ${budgetText(cause)}`, scored: rows };
  }
}

function spentOf(
  scored: RowScore,
  replies: CappedReplies,
  { examples, prices }: { readonly examples: number; readonly prices: PriceTable | undefined },
): Spent {
  const { lmCalls, promptTokens, completionTokens, costUsd, wallTimeMs } = replies.spent();
  const billed: ReturnType<CappedReplies["billed"]> = replies.billed();
  const roles = Object.keys(billed) as LmRole[];
  return {
    metricCalls: "notRun" in scored ? scored.scored : examples,
    reflectionCalls: 0,
    lmCalls,
    promptTokens,
    completionTokens,
    billedCalls: roles.reduce((sum, role) => sum + (billed[role]?.calls ?? 0), 0),
    usd: prices === undefined ? null : costUsd,
    seconds: wallTimeMs / 1000,
  };
}

/** Why not even one reply fits; `undefined` if one may. */
function cannotScore(left: Budget, examples: number): string | undefined {
  const { metricCalls = Infinity } = left;
  if (metricCalls < examples) {
    return `the budget has ${metricCalls} metric calls left, and the row takes ${examples}`;
  }
  const cap = usedUp(left);
  return cap === undefined || cap === "reflectionCalls"
    ? undefined
    : `nothing of the budget's \`${cap}\` is left`;
}

function budgetText(error: unknown): string {
  const { report } = error as Partial<EspalierError>;
  if (report === undefined) return failureOf(error).message;
  const { problem, where, expected, got } = report;
  return [problem, ...(where === undefined ? [] : [`(${where})`]), `${expected}, ${got}`].join(" ");
}
