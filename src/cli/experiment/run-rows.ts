import type { RowOutcome } from "../../experiment/index.ts";
import { checkOutcome } from "../../experiment/index.ts";
import type { Budget } from "../../optimizer/index.ts";
import { mockLabel } from "../../mock/index.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { openLms } from "../lm/open-lms.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { LmChoice } from "../lm/open-lm.ts";
import type { RunServers } from "../lm/run-servers.ts";
import { printToStderr } from "../terminal/terminal.ts";
import { checkRecord, checkSameLms, lmsOf } from "./row/describe-row.ts";
import type { LoadedExperiment, LoadedRow } from "./load-rows.ts";
import { ownBudget } from "./row/prepared-row.ts";
import { charged, lessThan, remaining, searchShare, tighter } from "./row/row-budget.ts";
import type { FinishedRow } from "./row/row-outcomes.ts";
import {
  finishedOutcome,
  readFinished,
  refusedOutcome,
  unfinishedOutcome,
} from "./row/row-outcomes.ts";
import type { RowRecord, Spent } from "./row/row-record.ts";
import { hasBegun, readRow, rowSpending } from "./row/row-record.ts";
import { runRow } from "./row/run-row.ts";

/**
 * Runs the rows that have no result yet, one after the other, and reads the others back. What a row
 * may spend depends on the rows before it, so a row that has begun to spend goes first; if a cap
 * stops it, no other begins. At most one row is therefore begun and not done, besides those that
 * ended by a fault of their own, whose spending counts; so no cap is exceeded however often the
 * experiment is resumed.
 *
 * @returns one outcome for each row, in the experiment's order
 */
export async function runRows(
  loaded: LoadedExperiment,
  {
    runFolder,
    resuming,
  }: {
    readonly runFolder: string;
    /** The command that resumes it. */
    readonly resuming: string;
  },
): Promise<readonly RowOutcome[]> {
  const rows = await Promise.all(loaded.rows.map((each) => recordedRow(each, runFolder)));
  const waiting = rows
    .filter(({ finished }) => finished === undefined)
    .toSorted((one, other) => Number(other.isBegun) - Number(one.isBegun));
  const outcomes = new Map<string, RowOutcome>();
  for (const { declared, row, error } of loaded.refused) {
    // What it has spent counts, and what it found stays in the table.
    if (hasBegun(runFolder, declared.name)) throw error;
    outcomes.set(declared.name, refusedOutcome({ declared, error, ...(row && { row }) }));
  }
  const finished: FinishedRow[] = [];
  for (const each of rows) {
    if (each.finished === undefined) continue;
    finished.push(each.finished);
    const outcome = finishedOutcome(each.row, each.finished);
    checkOutcome(loaded.experiment, outcome);
    outcomes.set(each.row.declared.name, outcome);
  }
  using interrupt = abortOnInterrupt(() => `To resume: ${resuming}`);
  const { signal } = interrupt;
  const spentOnFaults: Spent[] = [];
  let isOver = false;
  for (const [index, each] of waiting.entries()) {
    const { name } = each.row.declared;
    if (isOver) {
      const notRun = "the budget ended before it";
      const spent = rowSpending(runFolder, name, each);
      outcomes.set(name, unfinishedOutcome(each.row, { notRun, spent, lms: {}, mocks: [] }));
      continue;
    }
    const later = waiting.slice(index + 1);
    const end = await runNext(each, {
      loaded,
      rows,
      later,
      finished,
      spentOnFaults,
      runFolder,
      signal,
    });
    checkOutcome(loaded.experiment, end.outcome);
    outcomes.set(name, end.outcome);
    if (end.finished !== undefined) finished.push(end.finished);
    else if (end.faultSpent !== undefined) spentOnFaults.push(...end.faultSpent);
    else isOver = end.isBegun;
  }
  return loaded.experiment.rows.flatMap(({ name }) => outcomes.get(name) ?? []);
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
    spentOnFaults,
    runFolder,
    signal,
  }: {
    readonly loaded: LoadedExperiment;
    readonly rows: readonly RecordedRow[];
    /** Rows without a result that come after it. */
    readonly later: readonly RecordedRow[];
    readonly finished: readonly FinishedRow[];
    /** By rows that ended by a fault of their own. */
    readonly spentOnFaults: readonly Spent[];
    readonly runFolder: string;
    readonly signal: AbortSignal;
  },
): Promise<{
  readonly outcome: RowOutcome;
  readonly finished?: FinishedRow;
  /** What a row spent that ended by a fault of its own. */
  readonly faultSpent?: readonly Spent[];
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
  const begun = later.filter(({ isBegun, record }) => isBegun && record?.done === undefined);
  const begunSpent = begun.flatMap((other) =>
    rowSpending(runFolder, other.row.declared.name, other),
  );
  const left = [...spentOnFaults, ...begunSpent]
    .map(charged)
    .reduce(lessThan, remaining(budget, [...finished.map(({ done }) => done), ...lost]));
  const { opening } = mockLabel(opened.mocks);
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
    const { mocks } = opened;
    const outcome = unfinishedOutcome(row, { ...end, lms, mocks });
    const isBegun = hasBegun(runFolder, row.declared.name);
    return { outcome, isBegun, ...(end.failure !== undefined && { faultSpent: end.spent }) };
  }
  const ended = { ...end, lms };
  return { outcome: finishedOutcome(row, ended), finished: ended, isBegun: true };
}

/**
 * For a program whose examples hold recorded outputs of models: asks no server, and puts in the
 * LM's place what names the models and refuses to answer. The run's other parts stay as they are.
 */
async function openRecorded(
  models: readonly string[],
  servers: RunServers,
  choice: LmChoice,
): Promise<OpenedLms> {
  const unasked = { ...servers, answer: undefined, roles: {}, usual: {}, asked: {} };
  return openLms(unasked, choice, { programs: [], own: recordedLm(models) });
}

function recordedLm(models: readonly string[]): LanguageModel {
  return {
    identity: { provider: "recorded", model: models.length === 0 ? "none" : models.join(", ") },
    doGenerate: async (_request, { callPath, exampleId } = {}) => {
      throw new EspalierError({
        code: "experiment-invalid",
        problem: "A row of recorded outputs asked an LM",
        where: [callPath, exampleId].filter(Boolean).join(", "),
        expected: "a program without predictors, and a metric without a judge",
        fix: "Remove `recorded` from the row, or ask nothing in its study.",
      });
    },
  };
}
