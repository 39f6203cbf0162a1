import type { LedgerSnapshot } from "../../ledger/index.ts";
import { readReports, writeReports } from "./reports-file.ts";

/**
 * Notes, before test is looked at, that a candidate of a run is to be reported on.
 *
 * @returns the candidates that were reported on before it, in that order; a report that is made again
 *   tells nothing new
 */
export async function logReport(runFolder: string, candidate: number): Promise<readonly number[]> {
  const noted = readReports(runFolder);
  const { candidates } = noted;
  const place = candidates.indexOf(candidate);
  if (place >= 0) return candidates.slice(0, place);
  await writeReports(runFolder, { ...noted, candidates: [...candidates, candidate] });
  return candidates;
}

/** Notes what the report on a candidate used, in place of what an earlier one of the same did. */
export async function logUsage(
  runFolder: string,
  candidate: number,
  { byRole }: LedgerSnapshot,
): Promise<void> {
  const noted = readReports(runFolder);
  const logical = Object.entries(byRole).map(([role, entry]) => [role, entry.logical]);
  const used = { ...noted.used, [candidate]: Object.fromEntries(logical) };
  await writeReports(runFolder, { ...noted, used });
}
