import { runFolderFiles } from "../../../optimizer/files.ts";
import type { PriceTable } from "../../../optimizer/index.ts";
import { spentIn } from "../../../optimizer/index.ts";
import type { RowRecord, Spent } from "./row-record.ts";
import { hasBegun, rowFiles } from "./row-record.ts";

/**
 * What a row without a result has spent so far, in all processes: on its optimization and on its
 * score, by the replies on file. Empty if it never began.
 */
export function rowSpending(
  runFolder: string,
  row: string,
  {
    record,
    prices,
  }: { readonly record: RowRecord | undefined; readonly prices: PriceTable | undefined },
): readonly Spent[] {
  if (!hasBegun(runFolder, row)) return [];
  const { work, reportReplies } = runFolderFiles(rowFiles(runFolder, row).folder);
  const scoring = { ...spentIn(reportReplies, prices), metricCalls: record?.scored ?? 0 };
  return [spentIn(work, prices), scoring];
}
