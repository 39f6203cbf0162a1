import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LmRole } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { writeFileAtomic } from "../internal/index.ts";
import type { LedgerCounts } from "../lm/index.ts";

/** What is noted of a run's reports on test, in a file beside its journal. */
export interface ReportsFile {
  /** Those that were reported on, or were about to be, in that order. */
  readonly candidates: readonly number[];
  /**
   * By candidate and role: what the calls of its report used, as if nothing were cached. Absent of a report
   * that did not come to its end, and of those made before it was noted.
   */
  readonly used: { readonly [candidate: string]: UsedByRole };
}

export type UsedByRole = { readonly [Role in LmRole]?: LedgerCounts };

const format = "espalier-reports/1";

/**
 * Nothing noted where there is no file. Checked by hand, since `espalier show RUN` loads no schemas.
 *
 * @throws EspalierError `file-malformed`
 */
export function readReports(runFolder: string): ReportsFile {
  const path = pathIn(runFolder);
  if (!existsSync(path)) return { candidates: [], used: {} };
  const content = readFileSync(path, "utf8");
  const { format: written, candidates, used = {} } = objectOr(parsed(content)) ?? {};
  const isWhole =
    written === format &&
    Array.isArray(candidates) &&
    candidates.every(Number.isSafeInteger) &&
    areAll(used, (byRole) => areAll(byRole, isCounts));
  if (isWhole) return { candidates: candidates as number[], used: used as ReportsFile["used"] };
  throw new EspalierError({
    code: "file-malformed",
    problem: "The file of a run's reports on test cannot be read",
    where: path,
    expected: `{ "format": "${format}", "candidates": [0], "used": { "0": {} } }`,
    got: content.length > 80 ? `${content.slice(0, 80)}...` : content || "an empty file",
    fix: "Restore it; or remove it, and nothing is known any more of what was reported on before.",
  });
}

export async function writeReports(runFolder: string, reports: ReportsFile): Promise<void> {
  await writeFileAtomic(pathIn(runFolder), `${JSON.stringify({ format, ...reports })}\n`);
}

function pathIn(runFolder: string): string {
  return join(runFolder, "reports.json");
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function isCounts(value: unknown): boolean {
  const counts = objectOr(value);
  return ["calls", "promptTokens", "completionTokens"].every((name) =>
    Number.isFinite(counts?.[name]),
  );
}

function areAll(value: unknown, test: (held: unknown) => boolean): boolean {
  const held = objectOr(value);
  return held !== undefined && Object.values(held).every(test);
}

function objectOr(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}
