import { createRequire } from "node:module";
import { moduleFrom, writeArtifact } from "../../artifact/index.ts";
import type { LanguageModel, LmRole } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { canonicalJson, mapValues } from "../../internal/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import { ledger } from "../../ledger/index.ts";
import { withLedger } from "../../lm/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import { scoresByExample } from "../../evaluate/index.ts";
import type { Mock } from "../../mock/index.ts";
import { distinctMocks, mockLms, mocksAmong, mocksOfRun } from "../../mock/index.ts";
import type { ReportedFigure, ScoresOnTest } from "../../optimizer/files.ts";
import {
  readReports,
  readRun,
  runFolderFiles,
  holdsRun,
  writeReports,
} from "../../optimizer/files.ts";
import type { OptimizationResult, OptimizerTask } from "../../optimizer/index.ts";
import type { RecordedReplies } from "../../optimizer/index.ts";
import { recordedReplies } from "../../optimizer/index.ts";
import { optimizationArtifact } from "./optimization-artifact.ts";
import type { TestReport, TestReportOptions } from "./test-report.ts";
import { isClaimable, reportedFigures, testReport } from "./test-report.ts";

export interface ReportOnTestOptions extends Omit<TestReportOptions, "wrapTool"> {
  /** The folder of the search. Replies on test are recorded there, and never requested again. */
  readonly runFolder: string;
  /** Where the artifact is written. @default `artifact.json` in the run's folder */
  readonly artifactPath?: string;
  /**
   * Path of the file that default-exports the study, so that `serve` and `run` find the program
   * from the artifact alone. @default the program's own module
   */
  readonly studyPath?: string;
}

/** What the LMs of a report do not say, asked for once test is done. */
export interface ReportContext {
  /** Every part that a mock played. */
  readonly mocks: readonly Mock[];
  /** Costs of other parts, such as an embedder's. */
  readonly costs: LedgerSnapshot;
  /** Kept in the artifact's `run`. */
  readonly run: object;
}

/** What test says of a search's best program. */
export interface ReportOnTest {
  readonly report: TestReport;
  /** The objective, then further objectives of the metric: before, after, and the difference. */
  readonly figures: readonly ReportedFigure[];
  /** Candidates of the run reported on earlier: choosing among them by test uses it up. */
  readonly earlier: readonly number[];
  /** Of the search and this report together. */
  readonly costs: LedgerSnapshot;
  /** Where the artifact is; `null` if too many test examples remained unscored to write one. */
  readonly artifactPath: string | null;
}

/**
 * Measures the program that a search began with and the one that it found on the test split, side
 * by side, and writes what the command `optimize` writes: the figures to the run's folder, where
 * `show` finds them, and the artifact.
 *
 * @param result what `optimize()` returned for the same task and `runFolder`
 * @throws EspalierError `option-invalid` where the folder does not hold the run, `run-locked` while
 *   another process works on it, `file-malformed`, and what `evaluate()` throws; replies that were
 *   recorded until then are not paid for again
 */
export function reportOnTest<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  result: OptimizationResult<TInput, TOutput>,
  options: ReportOnTestOptions,
): Promise<ReportOnTest> {
  const { lm, lms = {}, judgeLm } = options;
  return reportInContext(task, result, options, () => ({
    mocks: distinctMocks([
      ...mocksOfRun(result.run),
      ...mocksAmong({ lm: lm.identity, judgeLm: judgeLm?.identity }),
      ...mockLms(Object.values(lms)),
    ]),
    costs: ledger().snapshot(),
    run: {
      espalier: ownVersion(),
      ...(Object.keys(lms).length > 0 && { lms: mapValues(lms, ({ identity }) => identity) }),
    },
  }));
}

function ownVersion(): string {
  return (createRequire(import.meta.url)("espalier/package.json") as { version: string }).version;
}

/** The same for a caller that knows more of the parts. */
export async function reportInContext<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  result: OptimizationResult<TInput, TOutput>,
  { runFolder, artifactPath, studyPath, ...options }: ReportOnTestOptions,
  context: () => ReportContext,
): Promise<ReportOnTest> {
  const { lm, lms = {}, judgeLm } = options;
  const { seed } = result.run as { readonly seed: number };
  const { id } = result.best;
  const { reportReplies, artifact: inRun } = runFolderFiles(runFolder);
  checkRun(runFolder, result);
  using replies = recordedReplies(lm, reportReplies);
  const earlier = await logReport(runFolder, id);
  const reported = ledger();
  const recorded = (other: LanguageModel): LanguageModel =>
    withLedger(replies.record(other), reported);
  const report = await testReport(task, task.program.with(result.best.components), {
    seed,
    ...options,
    lm: withLedger(replies.lm, reported),
    lms: mapValues(lms, recorded),
    ...(judgeLm && { judgeLm: recorded(judgeLm) }),
    wrapTool: (tool) => replies.wrapTool(tool),
  });
  const figures = reportedFigures(report);
  await logOutcome(runFolder, id, { ledger: reported.snapshot(), report, figures });
  const known = context();
  const costs = totalCosts(result, reported.snapshot(), replies.billed(), known.costs);
  const found = { report, figures, earlier, costs };
  if (!isClaimable(report)) return { ...found, artifactPath: null };
  const path = artifactPath ?? inRun;
  const artifact = await optimizationArtifact({
    task,
    module: studyPath === undefined ? undefined : moduleFrom(path, studyPath),
    result,
    report,
    lm: lm.identity,
    mocks: known.mocks,
    run: { ...known.run, ledger: costs },
  });
  await writeArtifact(path, artifact);
  return { ...found, artifactPath: path };
}

function checkRun(runFolder: string, { run }: Pick<OptimizationResult<never, never>, "run">): void {
  const isBegun = holdsRun(runFolder);
  if (isBegun && canonicalJson(readRun(runFolder).run) === canonicalJson(run)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The folder does not hold the run to report on",
    where: runFolder,
    got: isBegun ? "another run" : "no run",
    fix: "Give `optimize()` and `reportOnTest()` the same `runFolder`.",
  });
}

/**
 * Logs that a candidate of a run is about to be reported on, before the report looks at test.
 *
 * @returns the candidates first reported on before this one, in that order. Repeating a report
 *   reveals nothing new, so it is not logged twice.
 */
async function logReport(runFolder: string, candidate: number): Promise<readonly number[]> {
  const logged = readReports(runFolder);
  const { candidates } = logged;
  const index = candidates.indexOf(candidate);
  if (index >= 0) return candidates.slice(0, index);
  await writeReports(runFolder, { ...logged, candidates: [...candidates, candidate] });
  return candidates;
}

/** Logs what the report on a candidate used and found; replaces those of an earlier one on it. */
async function logOutcome(
  runFolder: string,
  candidate: number,
  {
    ledger: { byRole },
    report: { seed, optimized },
    figures,
  }: Pick<ReportOnTest, "report" | "figures"> & { readonly ledger: LedgerSnapshot },
): Promise<void> {
  const logged = readReports(runFolder);
  const logical = Object.entries(byRole).map(([role, entry]) => [role, entry.logical]);
  await writeReports(runFolder, {
    ...logged,
    used: { ...logged.used, [candidate]: Object.fromEntries(logical) },
    figures: { ...logged.figures, [candidate]: figures },
    scores: { ...logged.scores, 0: scoresOf(seed), [candidate]: scoresOf(optimized) },
  });
}

function scoresOf(evaluation: Evaluation): ScoresOnTest {
  return Object.fromEntries(scoresByExample(evaluation));
}

/** The costs of search, report and the run's other parts together. */
export function totalCosts(
  { ledger: search }: Pick<OptimizationResult, "ledger">,
  report: LedgerSnapshot,
  billed: ReturnType<RecordedReplies["billed"]>,
  parts: LedgerSnapshot,
): LedgerSnapshot {
  const costs = ledger(search);
  for (const [role, reported] of Object.entries(report.byRole)) {
    const entry = { logical: reported.logical, billed: billed[role as LmRole] ?? reported.billed };
    costs.merge({ total: entry, byRole: { [role]: entry } });
  }
  costs.merge(parts);
  return costs.snapshot();
}
