import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { ReportedFigure, ScoresOnTest } from "../../optimizer/files.ts";
import { readReports, writeReports } from "../../optimizer/files.ts";

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

/** Logs what the report on a candidate used and found; replaces those of an earlier one on it. */
export async function logOutcome(
  runFolder: string,
  candidate: number,
  {
    ledger: { byRole },
    figures,
    scores,
  }: {
    readonly ledger: LedgerSnapshot;
    readonly figures: readonly ReportedFigure[];
    readonly scores: { readonly seed: ScoresOnTest; readonly optimized: ScoresOnTest };
  },
): Promise<void> {
  const logged = readReports(runFolder);
  const logical = Object.entries(byRole).map(([role, entry]) => [role, entry.logical]);
  await writeReports(runFolder, {
    ...logged,
    used: { ...logged.used, [candidate]: Object.fromEntries(logical) },
    figures: { ...logged.figures, [candidate]: figures },
    scores: { ...logged.scores, 0: scores.seed, [candidate]: scores.optimized },
  });
}
