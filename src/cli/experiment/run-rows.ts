import type { RowOutcome } from "../../experiment/index.ts";
import { checkOutcome } from "../../experiment/index.ts";
import type { Budget } from "../../optimizer/index.ts";
import { standInLabel } from "../../stand-in/index.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { openLms } from "../lm/open-lms.ts";
import { openRecorded } from "../lm/open-recorded.ts";
import { printToStderr } from "../terminal/terminal.ts";
import { checkRecord, checkSameLms, lmsOf } from "./row/describe-row.ts";
import type { LoadedExperiment, LoadedRow } from "./load-rows.ts";
import { ownBudget } from "./row/prepared-row.ts";
import { remaining, searchShare, tighter } from "./row/row-budget.ts";
import type { FinishedRow } from "./row/row-outcomes.ts";
import { finishedOutcome, readFinished, unfinishedOutcome } from "./row/row-outcomes.ts";
import type { RowRecord } from "./row/row-record.ts";
import { hasBegun, readRow } from "./row/row-record.ts";
import { rowSpending } from "./row/row-spending.ts";
import { runRow } from "./row/run-row.ts";

/**
 * Runs the rows that have no result yet, one after the other, and reads the others back. What a row
 * may spend depends on the rows before it, so a row that has begun to spend goes first; if a cap
 * stops it, no other begins. At most one row is therefore begun and not done, and no cap is
 * exceeded however often the experiment is resumed.
 *
 * @returns one outcome for each row, in the experiment's order
 */
export async function runRows(
  loaded: LoadedExperiment,
  runFolder: string,
): Promise<readonly RowOutcome[]> {
  const rows = await Promise.all(loaded.rows.map((each) => recordedRow(each, runFolder)));
  const waiting = rows
    .filter(({ finished }) => finished === undefined)
    .toSorted((one, other) => Number(other.isBegun) - Number(one.isBegun));
  const outcomes = new Map<string, RowOutcome>();
  const finished: FinishedRow[] = [];
  for (const each of rows) {
    if (each.finished === undefined) continue;
    finished.push(each.finished);
    const outcome = finishedOutcome(each.row, each.finished);
    checkOutcome(loaded.experiment, outcome);
    outcomes.set(each.row.declared.name, outcome);
  }
  using interrupt = abortOnInterrupt();
  const { signal } = interrupt;
  let isOver = false;
  for (const [place, each] of waiting.entries()) {
    const { name } = each.row.declared;
    if (isOver) {
      const notRun = "the budget ended before it";
      const spent = rowSpending(runFolder, name, each);
      outcomes.set(name, unfinishedOutcome(each.row, { notRun, spent, lms: {}, standIns: [] }));
      continue;
    }
    const later = waiting.slice(place + 1);
    const end = await runNext(each, { loaded, rows, later, finished, runFolder, signal });
    checkOutcome(loaded.experiment, end.outcome);
    outcomes.set(name, end.outcome);
    if (end.finished !== undefined) finished.push(end.finished);
    else isOver = end.isBegun;
  }
  return rows.flatMap(({ row }) => outcomes.get(row.declared.name) ?? []);
}

interface RecordedRow extends LoadedRow {
  /** Absent for a row that never began. */
  readonly record: RowRecord | undefined;
  readonly isBegun: boolean;
  readonly finished: FinishedRow | undefined;
}

async function recordedRow(each: LoadedRow, runFolder: string): Promise<RecordedRow> {
  const { name } = each.row.declared;
  const found = await readRow(runFolder, name);
  if (found !== undefined) checkRecord(found, each.description, runFolder);
  const isBegun = found !== undefined && hasBegun(runFolder, name);
  // A row that was refused before its first call may have a larger budget now.
  const record = isBegun ? found : undefined;
  const held = record?.done === undefined ? undefined : await readFinished(runFolder, each.row);
  const finished =
    held === undefined || record?.done === undefined
      ? undefined
      : { ...held, lms: record.lms, done: record.done };
  return { ...each, record, isBegun, finished };
}

async function runNext(
  each: RecordedRow,
  {
    loaded: { experiment, given, budget, seed },
    rows,
    later,
    finished,
    runFolder,
    signal,
  }: {
    readonly loaded: LoadedExperiment;
    readonly rows: readonly RecordedRow[];
    /** Rows without a result that come after it. */
    readonly later: readonly RecordedRow[];
    readonly finished: readonly FinishedRow[];
    readonly runFolder: string;
    readonly signal: AbortSignal;
  },
): Promise<{
  readonly outcome: RowOutcome;
  readonly finished?: FinishedRow;
  readonly isBegun: boolean;
}> {
  const { row, servers, prices } = each;
  const programs = rows.map(({ row: { study } }) => study.program);
  const { recorded } = row.declared;
  await using opened = await (recorded === undefined
    ? openLms(servers, given, { programs })
    : openRecorded(recorded, servers, given));
  const lms = lmsOf(opened, row);
  for (const other of rows) {
    const isSame = other === each || (recorded ?? other.row.declared.recorded) === undefined;
    if (!isSame || other.record === undefined) continue;
    checkSameLms(other.record, lmsOf(opened, other.row), runFolder);
  }
  // A row whose result is lost has spent all the same, and comes first to be scored again.
  const lost = later.flatMap(({ record }) => record?.done ?? []);
  const left = remaining(budget, [...finished.map(({ done }) => done), ...lost]);
  const { opening } = standInLabel(opened.standIns);
  const what = `row ${row.declared.name}: ${row.examples.length} examples`;
  printToStderr(opening === "" ? what : `${what}; ${opening}`);
  const share: Budget =
    row.optimizer === undefined
      ? {}
      : tighter(ownBudget(row), searchShare(left, [each, ...later], finished));
  const record = each.record ?? { description: each.description, lms, budget: share };
  const run = { experiment, runFolder, opened, servers, record, left, share, prices, seed, signal };
  const end = await runRow(row, run);
  if ("notRun" in end) {
    const { standIns } = opened;
    const outcome = unfinishedOutcome(row, { ...end, lms, standIns });
    return { outcome, isBegun: hasBegun(runFolder, row.declared.name) };
  }
  const ended = { ...end, lms };
  return { outcome: finishedOutcome(row, ended), finished: ended, isBegun: true };
}
