import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../internal/index.ts";
import type { LedgerSnapshot } from "../lm/index.ts";

const format = "espalier-reports/1";
const reportsFile = z.object({
  format: z.literal(format),
  candidates: z.array(z.int()),
  /** By candidate and role: what the calls of its report used, as if nothing were cached. */
  used: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

type ReportsFile = z.infer<typeof reportsFile>;

/**
 * Notes, before test is looked at, that a candidate of a run is to be reported on.
 *
 * @returns the candidates that were reported on before it, in that order; a report that is made again
 *   tells nothing new
 */
export async function notedReports(
  runFolder: string,
  candidate: number,
): Promise<readonly number[]> {
  const noted = await readReports(runFolder);
  const { candidates } = noted;
  const place = candidates.indexOf(candidate);
  if (place >= 0) return candidates.slice(0, place);
  await writeReports(runFolder, { ...noted, candidates: [...candidates, candidate] });
  return candidates;
}

/** Notes what the report on a candidate used, in place of what an earlier one of the same did. */
export async function noteUsed(
  runFolder: string,
  candidate: number,
  { byRole }: LedgerSnapshot,
): Promise<void> {
  const noted = await readReports(runFolder);
  const logical = Object.entries(byRole).map(([role, entry]) => [role, entry.logical]);
  const used = { ...noted.used, [candidate]: Object.fromEntries(logical) };
  await writeReports(runFolder, { ...noted, used });
}

async function readReports(runFolder: string): Promise<ReportsFile> {
  const content = await readFile(join(runFolder, "reports.json"), "utf8").catch(() => null);
  return content === null ? { format, candidates: [] } : reportsFile.parse(JSON.parse(content));
}

async function writeReports(runFolder: string, reports: ReportsFile): Promise<void> {
  await writeFileAtomic(join(runFolder, "reports.json"), `${JSON.stringify(reports)}\n`);
}
