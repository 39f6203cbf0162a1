import { existsSync } from "node:fs";
import type { Failure } from "../../../errors/index.ts";
import { failureOf } from "../../../errors/index.ts";
import type { Evaluation } from "../../../evaluate/index.ts";
import { runFolderFiles } from "../../../optimizer/files.ts";
import type { Budget, CappedReplies, PriceTable } from "../../../optimizer/index.ts";
import { restartRun, spentIn, cappedReplies } from "../../../optimizer/index.ts";
import { writeEvaluation } from "../../eval/evaluation-file.ts";
import { totalCosts } from "../../../report/files.ts";
import type { RowRun, RowSearch } from "./search-row.ts";
import { searchRow } from "./search-row.ts";
import type { PreparedRow } from "./prepared-row.ts";
import { capBeyond, charged, lessThan, usedUp } from "./row-budget.ts";
import type { RowDone, RowRecord, Spent } from "./row-record.ts";
import { rowFiles, rowSpending, writeRow } from "./row-record.ts";
import { budgetText, errorText, isFaultOfRow } from "./row-fault.ts";
import type { LanguageModel, LmRole } from "../../../contract/index.ts";
import { evaluate, EvaluationStopped } from "../../../evaluate/index.ts";
import { mapValues } from "../../../internal/index.ts";
import type { LedgerSnapshot } from "../../../ledger/index.ts";
import { ledger } from "../../../ledger/index.ts";
import { withLedger } from "../../../lm/index.ts";
import { routedLm } from "../../lm/open-lms.ts";
import { progressLine } from "../../terminal/progress-line.ts";

/**
 * A row's result, which is on file; or why there is none, the row's own failure if it was no cap,
 * and what it spent so far.
 */
export type RowEnd =
  | { readonly done: RowDone; readonly evaluation: Evaluation }
  | { readonly notRun: string; readonly failure?: Failure; readonly spent: readonly Spent[] };

/**
 * Optimizes the program, if the row asks for it, and scores it on the experiment's split. Every
 * reply is on file before it is used, and every cap holds. A server that is away, an abort and a
 * failing program end it with their error; data, a study and a candidate that turn out not to fit
 * end this row alone.
 */
export async function runRow(row: PreparedRow, run: RowRun): Promise<RowEnd> {
  try {
    return await runToEnd(row, run);
  } catch (error) {
    if (!isFaultOfRow(error)) throw error;
    const { runFolder, record, prices } = run;
    return {
      notRun: errorText(error),
      failure: failureOf(error),
      spent: rowSpending(runFolder, row.declared.name, { record, prices }),
    };
  }
}

async function runToEnd(row: PreparedRow, run: RowRun): Promise<RowEnd> {
  const { declared, study, examples, drawn } = row;
  const { experiment, runFolder, opened, servers, prices } = run;
  // Scoring takes no text of a reflection LM.
  const { reflectionCalls: _reflection, ...left } = run.left;
  const { name } = declared;
  const notRun = (why: string, record: RowRecord = run.record): RowEnd => ({
    notRun: why,
    spent: rowSpending(runFolder, name, { record, prices }),
  });
  const early = cannotScore(left, examples.length);
  if (early !== undefined) return notRun(early);
  const search = await cappedSearch(row, run);
  if ("notRun" in search) return notRun(search.notRun);

  const { found, record } = search;
  const leftNow = found.charged.reduce(lessThan, left);
  const scoring = spentIn(runFolderFiles(rowFiles(runFolder, name).folder).reportReplies, prices);
  const late = cannotScore(leftNow, examples.length) ?? overspent(leftNow, charged(scoring));
  if (late !== undefined) return notRun(late, record);
  const scored = await scoreRow(row, { ...run, left: leftNow, program: found.program });
  if ("notRun" in scored) {
    const stopped = { ...record, scored: Math.max(scored.scored, record.scored ?? 0) };
    await writeRow(runFolder, name, stopped);
    return notRun(scored.notRun, stopped);
  }

  const { evaluation, costs, billed, spent } = scored;
  const mocks = opened.mocks.filter(
    ({ part }) => part !== "reflectionLm" || row.optimizer !== undefined,
  );
  const { name: trainset, version, checksum } = study.trainset;
  await writeEvaluation(rowFiles(runFolder, name).result, {
    study: study.name,
    trainset: { name: trainset, version, checksum },
    split: experiment.split,
    drawn,
    ...opened.report(),
    mocks,
    ledger: totalCosts({ ledger: found.ledger }, costs, billed, servers.costs.snapshot()),
    evaluation,
  });
  const done: RowDone = {
    evaluation: spent,
    ...(found.spent !== undefined && { search: found.spent }),
    cutShort: found.cutShort,
    ...(found.optimized !== undefined && { optimized: found.optimized }),
    mocks,
  };
  // Last, since it says that the result is on file.
  await writeRow(runFolder, name, { ...record, done });
  return { done, evaluation };
}

/** Why not even one reply fits; `undefined` if one may. */
function cannotScore(left: Budget, examples: number): string | undefined {
  const { metricCalls = Infinity } = left;
  if (metricCalls < examples) {
    return `the budget has ${metricCalls} metric calls left, and the row takes ${examples}`;
  }
  const cap = usedUp(left);
  return cap === undefined ? undefined : `nothing of the budget's \`${cap}\` is left`;
}

/** Under a smaller cap than before: not even what is on file fits, and more must not be sent. */
function overspent(left: Budget, scoring: Budget): string | undefined {
  const cap = capBeyond(scoring, left);
  return cap === undefined
    ? undefined
    : `its score has taken \`${cap}\` of ${scoring[cap]}, and the budget has ${left[cap]} left`;
}

/** What a search found, and the record that holds its budget; or which cap kept it from it. */
type CappedSearch =
  | { readonly found: RowSearch; readonly record: RowRecord }
  | { readonly notRun: string };

/**
 * Searches under the budget that the row's record holds. A cap that ends the search before the
 * program was scored once leaves nothing to go on with under that budget: once there is a larger
 * one, the search begins anew, with the replies that it has.
 */
async function cappedSearch(row: PreparedRow, run: RowRun): Promise<CappedSearch> {
  const { record, runFolder, share } = run;
  const begun = isStopped(record) ? record : await attempt(row, run);
  if (!isStopped(begun)) return begun;
  const { searchStop, ...held } = begun;
  if (capBeyond(share, held.budget) === undefined) return { notRun: searchStop };
  const anew = { ...run, record: { ...held, budget: share } };
  const { folder } = rowFiles(runFolder, row.declared.name);
  const again = await attempt(row, anew, () => restartRun(folder));
  return isStopped(again) ? { notRun: again.searchStop } : again;
}

/** The record of a row whose search a cap ended too early. */
type Stopped = RowRecord & { readonly searchStop: string };

function isStopped(record: RowRecord | CappedSearch): record is Stopped {
  return "searchStop" in record;
}

async function attempt(
  row: PreparedRow,
  run: RowRun,
  prepare: () => void = () => {},
): Promise<CappedSearch | Stopped> {
  const { runFolder, record } = run;
  const { name } = row.declared;
  const refused = cannotSearch(row, run);
  if (refused !== undefined) return { notRun: refused };
  prepare();
  await writeRow(runFolder, name, record);
  try {
    return { found: await searchRow(row, run), record };
  } catch (error) {
    if (failureOf(error).kind !== "budget") throw error;
    const why = `its optimization ended before it scored the program: ${budgetText(error)}`;
    const stopped = { ...record, searchStop: why };
    await writeRow(runFolder, name, stopped);
    return stopped;
  }
}

function cannotSearch(
  { declared, optimizer }: PreparedRow,
  { runFolder, record: { budget }, left }: RowRun,
): string | undefined {
  if (optimizer === undefined) return undefined;
  const unaffordable = usedUp(budget);
  if (unaffordable !== undefined)
    return `scoring the rows leaves its optimization no \`${unaffordable}\``;
  // One that has ended is read back, and spends nothing.
  if (existsSync(rowFiles(runFolder, declared.name).candidate)) return undefined;
  const beyond = capBeyond(budget, left);
  return beyond === undefined ? undefined : beyondText(beyond, budget[beyond], left[beyond]);
}

function beyondText(cap: keyof Budget, own: number | undefined, left: number | undefined): string {
  const began = own === undefined ? `without a cap on \`${cap}\`` : `with \`${cap}\` of ${own}`;
  return `its optimization began ${began}, and the budget has ${left} left`;
}

/** A row's figures and what they cost; or which cap stopped it, and after how many examples. */
type RowScore =
  | {
      readonly evaluation: Evaluation;
      readonly costs: LedgerSnapshot;
      readonly billed: ReturnType<CappedReplies["billed"]>;
      readonly spent: Spent;
    }
  | { readonly notRun: string; readonly scored: number };

/** Scores a program on the experiment's split, under what is left of the budget. */
async function scoreRow(
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
  const counted = (lm: LanguageModel): LanguageModel => withLedger(lm, costs);
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
