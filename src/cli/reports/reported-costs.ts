import { billedIn, runFolderFiles } from "../../optimizer/files.ts";
import type { UsedByRole } from "./reports-file.ts";
import { readReports } from "./reports-file.ts";

/** What the reports of a run on test took, all together, by role. */
export interface ReportedCosts {
  /** As if nothing were cached; of reports that came to their end. */
  readonly used: readonly UsedByRole[];
  /**
   * Whether there is a report of which `used` has nothing: it did not come to its end, or was made before
   * this was noted.
   */
  readonly hasUnknown: boolean;
  /** What went to a server, also for a report that was cut short. */
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
