import { existsSync } from "node:fs";
import type { LmRole } from "../../contract/index.ts";
import type { Comparison } from "../../evaluate/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import {
  count,
  excerpt,
  finite,
  flag,
  jsonOrUndefined,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  recordOf,
  text,
} from "../../internal/index.ts";
import { readFileWithinSync, writeFileAtomic } from "../../storage/index.ts";
import type { LedgerCounts } from "../../ledger/index.ts";
import type { Drift, Interval } from "../../statistics/index.ts";
import { runFolderFiles } from "./run-folder.ts";

/** The log of a run's reports on test, in a file beside its journal. */
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

const format = "espalier-reports/1";
const counts = objectOf({
  calls: finite,
  uncountedCalls: optional(count),
  promptTokens: finite,
  completionTokens: finite,
  failedCalls: optional(finite),
  retries: optional(count),
});
const interval = orNull(objectOf({ low: finite, high: finite }));
const measured = objectOf({ value: orNull(finite), interval });
const figure = objectOf({
  metric: text,
  seed: measured,
  optimized: measured,
  comparison: orNull(
    objectOf({
      difference: finite,
      interval,
      pValue: finite,
      verdict: oneOf("better", "worse", "undecided"),
      examples: count,
      clusters: count,
      better: count,
      worse: count,
      equal: count,
    }),
  ),
  isClaimable: flag,
  drift: optional(objectOf({ examples: count, difference: finite })),
});
const shape = objectOf({
  format: oneOf(format),
  candidates: listOf(count),
  used: recordOf(recordOf(counts)),
  figures: recordOf(listOf(figure)),
  scores: recordOf(recordOf(orNull(finite))),
});

/**
 * Reads the log; a missing file is an empty log. Validates by hand, since `espalier show RUN` does
 * not load zod.
 *
 * @throws EspalierError `file-malformed`
 */
export function readReports(runFolder: string): ReportsFile {
  const path = pathIn(runFolder);
  if (!existsSync(path)) return { candidates: [], used: {}, figures: {}, scores: {} };
  const content = contentOf(path);
  const value = jsonOrUndefined(content);
  if (shape(value) === null) {
    const { candidates, used, figures, scores } = value as ReportsFile;
    return { candidates, used, figures, scores };
  }
  throw new EspalierError({
    code: "file-malformed",
    problem: "The log of a run's reports on test is malformed",
    where: path,
    expected: `{ "format": "${format}", "candidates": [], "used": {}, "figures": {}, "scores": {} }`,
    got: excerpt(content, 80) || "an empty file",
    fix: "Restore it, or remove it and lose the record of earlier reports.",
  });
}

export async function writeReports(runFolder: string, reports: ReportsFile): Promise<void> {
  await writeFileAtomic(pathIn(runFolder), `${JSON.stringify({ format, ...reports })}\n`);
}

function pathIn(runFolder: string): string {
  return runFolderFiles(runFolder).reports;
}

function contentOf(path: string): string {
  try {
    return readFileWithinSync(path, 16 * 2 ** 20);
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: "Cannot read the log of a run's reports on test",
      where: path,
      got: messageOf(error),
      cause: error,
    });
  }
}
