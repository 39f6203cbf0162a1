import { existsSync } from "node:fs";
import { failureOf } from "../../../errors/index.ts";
import type { Budget } from "../../../optimizer/index.ts";
import { restartRun } from "../../../optimizer/index.ts";
import { budgetText } from "./budget-text.ts";
import type { PreparedRow } from "./prepared-row.ts";
import { capBeyond, usedUp } from "./row-budget.ts";
import type { RowRecord } from "./row-record.ts";
import { rowFiles, writeRow } from "./row-record.ts";
import type { RowRun, RowSearch } from "./search-row.ts";
import { searchRow } from "./search-row.ts";

/** What a search found, and the record that holds its budget; or which cap kept it from it. */
export type CappedSearch =
  | { readonly found: RowSearch; readonly record: RowRecord }
  | { readonly notRun: string };

/**
 * Searches under the budget that the row's record holds. A cap that ends the search before the
 * program was scored once leaves nothing to go on with under that budget: once there is a larger
 * one, the search begins anew, with the replies that it has.
 */
export async function cappedSearch(row: PreparedRow, run: RowRun): Promise<CappedSearch> {
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
