import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { QueueCounts } from "../packages/workers-package.ts";
import { keptText, valueText, scoreConflictsText, stopReasons } from "../terminal/search-text.ts";
import type { ReportedFigure } from "../../optimizer/files.ts";
import type { CandidateRecord, OptimizationResult } from "../../optimizer/index.ts";
import { ledgerText } from "../eval/evaluation-text.ts";
import { inClusters } from "../../statistics/index.ts";
import { figuresText } from "../terminal/figures-text.ts";
import { componentChanges, textMark } from "../terminal/component-changes.ts";
import type { TestReport } from "../../report/files.ts";
import { joinLines } from "../terminal/terminal.ts";
import { queueText } from "../packages/workers-package.ts";

/** Formats a result: what test shows, what won, how the search went, and the costs. */
export function optimizationText(
  result: OptimizationResult,
  report: TestReport,
  {
    figures,
    ledger,
    workers,
    choice,
    earlier,
    showAll,
  }: {
    readonly figures: readonly ReportedFigure[];
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
    ...figuresText(figures),
    examplesText(report, earlier),
    "",
    ...winnerText(best, candidates, { showAll, isChosen: choice !== undefined }),
    `on val: ${seed === undefined ? "" : `${valueText(seed.selection, seed)} before, `}${valueText(best.selection, seed)} after`,
    ...neverInvokedText(result),
    "",
    `search: ${stopReasons[reason]}${detail === undefined ? "" : ` (${detail})`}; ${keptText(result)}`,
    `${choice === undefined ? "best" : `chosen by ${choice}`}: candidate ${lineOf(best, candidates).join(", made from ")}`,
    ...scoreConflictsText(result.disputes),
    `costs of the search: ${spent.metricCalls} metric calls, ${spent.lmCalls} LM calls, ${spent.tokens} tokens, ${seconds.toFixed(1)} s`,
    "total costs, including the report on test:",
    ...ledgerText(ledger),
    ...(workers === undefined ? [] : [queueText(workers)]),
  ]);
}

/** Choosing between candidates by their reports makes test part of the selection. */
function examplesText({ optimized, comparison }: TestReport, earlier: readonly number[]): string {
  const clusters = new Set(optimized.rows.map(({ cluster }) => cluster)).size;
  const names = `${earlier.length === 1 ? "the one on candidate" : "those on candidates"} ${earlier.join(", ")}`;
  const what =
    earlier.length === 0
      ? "test, held out from every decision"
      : `test, report ${earlier.length + 1} of this run, after ${names} (if you choose between them by test, it is no longer held out)`;
  const tally =
    comparison === null
      ? ""
      : `; of ${comparison.examples} with a score, ${comparison.better} better, ${comparison.worse} worse, ${comparison.equal} equal`;
  return `${what}: ${optimized.rows.length} examples${inClusters(clusters, optimized.rows.length)}${tally}`;
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

/** Lines of a diff that are worth a screen. */
const maxLines = 20;
/** Of one line, which may be a whole list of demonstrations. */
const maxCharacters = 160;

/**
 * What won: the texts and settings in which it differs from the program that the search started
 * from, in at most 20 lines.
 */
function winnerText(
  { id, components, selection }: CandidateRecord,
  candidates: readonly CandidateRecord[],
  { showAll, isChosen }: { readonly showAll: string; readonly isChosen: boolean },
): readonly string[] {
  const [seed] = candidates;
  const changes = componentChanges(seed?.components ?? [], components);
  if (changes.length === 0) {
    const isHigher = !isChosen && candidates.some((one) => one.selection.value > selection.value);
    const why = isHigher ? "; higher scores on val were within noise or not confirmed" : "";
    return [`what won: the program it started from${why}`];
  }
  const shown = changes.slice(0, maxLines);
  const hasText = shown.some((line) => line.startsWith(textMark));
  const isCut = shown.some(({ length }) => length > maxCharacters);
  const more = changes.length - shown.length;
  const left = [
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? "line" : "lines"}`]),
    ...(isCut ? ["long lines whole"] : []),
  ];
  return [
    `what won: candidate ${id}${hasText ? " ([-gone-] {+new+})" : ""}`,
    ...shown.map((line) => `  ${cut(line)}`),
    ...(left.length === 0 ? [] : [`  ... ${left.join(", ")}: ${showAll}`]),
  ];
}

function cut(line: string): string {
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 3)}...`;
}
