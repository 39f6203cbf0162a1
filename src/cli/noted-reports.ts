import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../internal/index.ts";

const format = "espalier-reports/1";
const reportsFile = z.object({ format: z.literal(format), candidates: z.array(z.int()) });

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
  const path = join(runFolder, "reports.json");
  const content = await readFile(path, "utf8").catch(() => null);
  const noted = content === null ? [] : reportsFile.parse(JSON.parse(content)).candidates;
  const place = noted.indexOf(candidate);
  if (place >= 0) return noted.slice(0, place);
  const candidates = [...noted, candidate];
  await writeFileAtomic(path, `${JSON.stringify({ format, candidates })}\n`);
  return noted;
}
