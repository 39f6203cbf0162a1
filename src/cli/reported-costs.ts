import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LmRole } from "../contract/index.ts";
import type { LedgerCounts } from "../lm/index.ts";
import { billedIn } from "../optimizer/light.ts";

/** What the reports of a run on test took, all together, by role. */
export interface ReportedCosts {
  /** As if nothing were cached; of reports that came to their end. */
  readonly used: readonly { readonly [Role in LmRole]?: LedgerCounts }[];
  /** What went to a server, also for a report that was cut short. */
  readonly billed: { readonly [Role in LmRole]?: LedgerCounts };
}

/** Reads what `notedReports` and `noteUsed` wrote. */
export function reportedCosts(runFolder: string): ReportedCosts {
  const path = join(runFolder, "reports.json");
  const noted = existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as {
        readonly used?: Readonly<Record<string, ReportedCosts["used"][number]>>;
      })
    : {};
  return {
    used: Object.values(noted.used ?? {}),
    billed: billedIn(join(runFolder, "report.jsonl")),
  };
}
