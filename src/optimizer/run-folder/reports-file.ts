import { existsSync } from "node:fs";
import type { LmRole } from "../../contract/index.ts";
import type { Comparison } from "../../evaluate/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import {
  checkedLine,
  readFileWithinSync,
  withChecksum,
  writeFileAtomic,
} from "../../storage/index.ts";
import type { LedgerCounts } from "../../ledger/index.ts";
import type { Drift, Interval } from "../../statistics/index.ts";
import { runAdvice, runFolderFiles } from "./run-folder.ts";

/** The log of a run's test reports, in a file beside its journal. */
export interface ReportsFile {
  /** Candidates that were reported on, or were about to be, in that order. */
  readonly candidates: readonly number[];
  /**
   * The logical usage (as if nothing were cached) of each report, by candidate and role. Absent for
   * a report that did not complete.
   */
  readonly used: { readonly [candidate: string]: UsedByRole };
  /**
   * What each report found, by candidate: the objective first, then further objectives. Absent for
   * a report that did not complete.
   */
  readonly figures: { readonly [candidate: string]: readonly ReportedFigure[] };
  /**
   * The objective's score on each example of test, by candidate and example id: of each candidate
   * reported on, and of candidate 0.
   */
  readonly scores: { readonly [candidate: string]: ScoresOnTest };
}

/** By example id; `null` where the metric does not apply or a fault remained. */
export type ScoresOnTest = Readonly<Record<string, number | null>>;

/** One figure of a report on test, of a candidate and of the program that its search began with. */
export interface ReportedFigure {
  readonly metric: string;
  readonly seed: MeasuredOnTest;
  readonly optimized: MeasuredOnTest;
  /** Candidate minus seed, paired by example; `null` where the two are one program, run once. */
  readonly comparison: Omit<Comparison, "dropped"> | null;
  /** Whether enough examples were scored to support any claim. */
  readonly isClaimable: boolean;
  /** Of the objective, where the seed on repeated rows shows a drift beyond noise. */
  readonly drift?: Drift;
}

interface MeasuredOnTest {
  /** `null` if nothing was scored. */
  readonly value: number | null;
  readonly interval: Interval | null;
}

/** Logical usage by role. */
export type UsedByRole = { readonly [Role in LmRole]?: LedgerCounts };

const format = "espalier-reports/2";

/**
 * Reads the log, a line with a checksum; a missing file is an empty log.
 *
 * @throws EspalierError `file-malformed`
 */
export function readReports(runFolder: string): ReportsFile {
  const path = runFolderFiles(runFolder).reports;
  if (!existsSync(path)) return { candidates: [], used: {}, figures: {}, scores: {} };
  const log = checkedLine(contentOf(path).trimEnd(), path, {
    ...runAdvice,
    startOver: "remove it and lose the record of earlier reports",
  });
  const { format: written, ...reports } = log as ReportsFile & { readonly format: unknown };
  if (written === format) return reports;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The log of a run's test reports was written by another version of espalier",
    where: path,
    expected: `"format": "${format}"`,
    got: String(written),
    fix: "Use the espalier version that wrote the log, or remove the log and lose the record of earlier reports.",
  });
}

export async function writeReports(runFolder: string, reports: ReportsFile): Promise<void> {
  const { reports: path } = runFolderFiles(runFolder);
  await writeFileAtomic(path, `${withChecksum({ format, ...reports })}\n`);
}

function contentOf(path: string): string {
  try {
    return readFileWithinSync(path, 16 * 2 ** 20);
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: "Cannot read the log of a run's test reports",
      where: path,
      got: messageOf(error),
      cause: error,
    });
  }
}
