import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { QueueCounts } from "../packages/workers-package.ts";
import { keptText } from "../reports/kept-text.ts";
import { valueText } from "../reports/value-text.ts";
import type { CandidateRecord, OptimizationResult } from "../../optimizer/index.ts";
import { creditsText } from "../terminal/credits-text.ts";
import { scoreConflictsText } from "../terminal/score-conflicts-text.ts";
import { ledgerText } from "../eval/evaluation-text.ts";
import { figuresText } from "../terminal/figures-text.ts";
import { winnerText } from "../terminal/winner-text.ts";
import { stopReasons } from "../terminal/stop-reasons.ts";
import type { TestReport } from "./report/test-report.ts";
import { reportedFigures } from "./report/report-data.ts";
import { joinLines } from "../terminal/join-lines.ts";
import { queueText } from "../workers/queue-text.ts";

/** Formats a result: what test shows, what won, how the search went, and the costs. */
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
  const { candidates, best, reason, detail, spent, seconds } = result;
  const [seed] = candidates;
  return joinLines([
    ...figuresText(reportedFigures(report)),
    examplesText(report, earlier),
    "",
    ...winnerText(best, seed, showAll),
    `on val: ${seed === undefined ? "" : `${valueText(seed.selection, seed)} before, `}${valueText(best.selection, seed)} after`,
    ...(best.selection.seen === undefined || best.id === 0
      ? []
      : ["what it has on val is an estimate: a larger budget runs it on more of val"]),
    ...creditsText(result.credits),
    ...neverInvokedText(result),
    "",
    `search: ${stopReasons[reason]}${detail === undefined ? "" : ` (${detail})`}; ${keptText(result)}`,
    `${choice === undefined ? "best" : `chosen by ${choice}`}: candidate ${lineOf(best, candidates).join(", made from ")}`,
    ...scoreConflictsText(result.disputes),
    `costs of the search: ${spent.metricCalls} metric calls, ${spent.lmCalls} LM calls, ${spent.tokens} tokens, ${seconds.toFixed(1)} s; of all:`,
    ...ledgerText(ledger),
    ...(workers === undefined ? [] : [queueText(workers)]),
  ]);
}

/** Choosing between candidates by their reports makes test part of the selection. */
function examplesText({ optimized, comparison }: TestReport, earlier: readonly number[]): string {
  const clusters = new Set(optimized.rows.map(({ cluster }) => cluster)).size;
  const names = `${earlier.length === 1 ? "candidate" : "candidates"} ${earlier.join(", ")}`;
  const what =
    earlier.length === 0
      ? "test, held out from every decision"
      : `test, report ${earlier.length + 1} of this run, after ${names} (if you choose between them by test, it is no longer held out)`;
  const tally =
    comparison === null
      ? ""
      : `; of ${comparison.examples} with a score ${comparison.better} better, ${comparison.worse} worse, ${comparison.equal} equal`;
  return `${what}: ${optimized.rows.length} examples in ${clusters} clusters${tally}`;
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
