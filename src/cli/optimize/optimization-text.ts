import { verdictWords } from "../../evaluate/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { QueueCounts } from "../../queue/index.ts";
import { valueText } from "../reports/value-text.ts";
import type { CandidateRecord, OptimizationResult } from "../../optimizer/index.ts";
import { creditsText } from "../terminal/credits-text.ts";
import { scoreConflictsText } from "../terminal/score-conflicts-text.ts";
import { comparisonLines, ledgerText } from "../eval/evaluation-text.ts";
import { differenceText } from "../terminal/difference-text.ts";
import { intervalText } from "../terminal/interval-text.ts";
import { winnerText } from "../terminal/winner-text.ts";
import { stopReasons } from "../terminal/stop-reasons.ts";
import type { EvaluatedFigure, TestReport } from "./test-report.ts";
import { isClaimable } from "./test-report.ts";
import { joinLines } from "../terminal/join-lines.ts";
import { queueText } from "../workers/queue-text.ts";

/**
 * Formats a result: how the search went, the figures on test, the costs, and at the end, where it
 * is read first, what won and what fell.
 */
export function optimizationText(
  result: OptimizationResult,
  report: TestReport,
  {
    ledger,
    workers,
    choice,
    earlier,
    showAll,
  }: {
    readonly ledger: LedgerSnapshot;
    readonly workers?: QueueCounts | undefined;
    readonly choice: string | undefined;
    /** Candidates of the run that were reported on earlier. */
    readonly earlier: readonly number[];
    /** The command that shows all that changed. */
    readonly showAll: string;
  },
): string {
  const { candidates, refusals, best, reason, detail, spent, seconds } = result;
  const { optimized } = report;
  const [seed] = candidates;
  const clusters = new Set(optimized.rows.map(({ cluster }) => cluster)).size;
  const figures = [report, ...report.objectives];
  return joinLines([
    `${stopReasons[reason]}${detail === undefined ? "" : ` (${detail})`}; ${spent.metricCalls} metric calls, ${spent.lmCalls} LM calls, ${spent.tokens} tokens, ${seconds.toFixed(1)} s`,
    `${candidates.length - 1} proposals accepted, ${refusals.length} rejected${rejectionText(result)}`,
    `${choice === undefined ? "best" : `chosen by ${choice}`}: candidate ${lineOf(best, candidates).join(" < ")}, ${valueText(best.selection, seed)}; seed ${seed === undefined ? "" : valueText(seed.selection, seed)}; both on val`,
    ...neverInvokedText(result),
    ...scoreConflictsText(result.disputes),
    ...creditsText(result.credits),
    "",
    `${earlier.length === 0 ? "test, held out from every decision" : repeatedReportText(earlier)}: ${optimized.rows.length} examples in ${clusters} clusters`,
    ...figures.flatMap(figureText),
    ...(isClaimable(report) ? comparisonLines(report.comparison, "the seed") : []),
    ...figures
      .filter((figure) => !isClaimable(figure))
      .map(
        ({ metric }) => `${metric}: too many examples remained unscored, so no claim can be made`,
      ),
    "",
    ...ledgerText(ledger),
    ...(workers === undefined ? [] : [queueText(workers)]),
    "",
    ...winnerText(best, seed, showAll),
    ...fallText(figures),
  ]);
}

/** Choosing between candidates by their reports makes test part of the selection. */
function repeatedReportText(earlier: readonly number[]): string {
  const names = `${earlier.length === 1 ? "candidate" : "candidates"} ${earlier.join(", ")}`;
  return `test, report ${earlier.length + 1} of this run, after ${names} (if you choose between them by test, it is no longer held out)`;
}

function rejectionText({ refusals }: OptimizationResult): string {
  const counts = Map.groupBy(refusals, ({ reason }) => reason);
  const parts = [...counts].map(([reason, { length }]) => `${length} ${reason}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/**
 * Texts that no rollout sent to a model were never evaluated, so "unchanged" does not mean good.
 */
function neverInvokedText({ neverInvoked = [] }: OptimizationResult): readonly string[] {
  return neverInvoked.length === 0
    ? []
    : [`unchanged, because no rollout ran its predictor: ${neverInvoked.join(", ")}`];
}

/** Ids from the candidate back to the seed. */
function lineOf(
  { id, parents }: CandidateRecord,
  candidates: readonly CandidateRecord[],
): readonly number[] {
  const parent = candidates[parents[0] ?? -1];
  return parent === undefined ? [id] : [id, ...lineOf(parent, candidates)];
}

function figureText({ metric, seed, optimized, comparison }: EvaluatedFigure): readonly string[] {
  return [
    `${metric}  seed       ${shown(seed.value)}  ${intervalText(seed.interval)}`,
    `${" ".repeat(metric.length)}  optimized  ${shown(optimized.value)}  ${intervalText(optimized.interval)}`,
    `${" ".repeat(metric.length)}  paired     ${differenceText(comparison)}`,
  ];
}

function shown(value: number | null): string {
  return value === null ? "nothing was scored" : value.toFixed(4);
}

/** Names each figure that fell, since a loss is easy to overlook beside gains. */
export function fallText(figures: readonly EvaluatedFigure[]): readonly string[] {
  const falls = figures.filter((figure) => isClaimable(figure) && figure.comparison.difference < 0);
  return falls.map(({ metric, comparison }) => {
    const { verdict } = verdictWords(comparison, "the seed");
    return `what fell: ${metric}, ${differenceText(comparison)}: ${verdict}`;
  });
}
