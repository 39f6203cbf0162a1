import type { LedgerSnapshot } from "../../ledger/index.ts";
import { readReports, writeReports } from "./reports-file.ts";

/**
 * Logs that a candidate of a run is about to be reported on, before the report looks at test.
 *
 * @returns the candidates first reported on before this one, in that order. Repeating a report
 *   reveals nothing new, so it is not logged twice.
 */
export async function logReport(runFolder: string, candidate: number): Promise<readonly number[]> {
  const logged = readReports(runFolder);
  const { candidates } = logged;
  const place = candidates.indexOf(candidate);
  if (place >= 0) return candidates.slice(0, place);
  await writeReports(runFolder, { ...logged, candidates: [...candidates, candidate] });
  return candidates;
}

/** Logs what the report on a candidate used; replaces the usage of an earlier report on it. */
export async function logUsage(
  runFolder: string,
  candidate: number,
  { byRole }: LedgerSnapshot,
): Promise<void> {
  const logged = readReports(runFolder);
  const logical = Object.entries(byRole).map(([role, entry]) => [role, entry.logical]);
  const used = { ...logged.used, [candidate]: Object.fromEntries(logical) };
  await writeReports(runFolder, { ...logged, used });
}
