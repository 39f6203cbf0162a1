import type { ReportsFile } from "../../optimizer/files.ts";
import { billedIn, readReports, runFolderFiles } from "../../optimizer/files.ts";

/** What all reports of a run on test cost together. */
export interface ReportedCosts {
  /** Logical usage (as if nothing were cached) of each completed report. */
  readonly used: readonly ReportsFile["used"][string][];
  /** Whether `used` lacks a report: one that did not complete. */
  readonly hasUnknown: boolean;
  /** What was sent to a server, including by reports that did not complete. */
  readonly billed: ReturnType<typeof billedIn>;
}

/** @throws EspalierError `file-malformed` */
export function reportedCosts(runFolder: string): ReportedCosts {
  const { candidates, used } = readReports(runFolder);
  const billed = billedIn(runFolderFiles(runFolder).reportReplies);
  const isBilledAlone = candidates.length === 0 && Object.keys(billed).length > 0;
  return {
    used: Object.values(used),
    hasUnknown: isBilledAlone || candidates.some((candidate) => !(candidate in used)),
    billed,
  };
}
