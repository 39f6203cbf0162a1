import type { LedgerSnapshot } from "../lm/index.ts";
import type {
  CandidateRecord,
  OptimizationResult,
  OptimizerPlan,
  StopReason,
} from "../optimizer/index.ts";
import { comparisonText, intervalText, ledgerText } from "./evaluation-text.ts";
import type { ReportedFigure, TestReport } from "./test-report.ts";

/** What a budget allows, for a person. */
export function planText(plan: OptimizerPlan, testSize: number): string {
  const { seedEvaluation, perProposal, proposals, calls, warnings } = plan;
  return [
    `plan: ${seedEvaluation} metric calls for the seed, then ${perProposal.refused} for a proposal that is refused and ${perProposal.accepted} for one that is accepted`,
    ...(proposals === null
      ? []
      : [
          `the budget allows ${proposals.least} proposals if all are accepted, ${proposals.most} if none is`,
        ]),
    ...(calls === null
      ? []
      : [
          `about ${calls.student} calls of the program's LM and at most ${calls.reflection} of the reflection LM`,
        ]),
    `outside the budget: seed and result on the ${testSize} examples of test`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join("\n");
}

/** A result for a person: how the search went, what test says, what it cost. */
export function optimizationText(
  result: OptimizationResult,
  report: TestReport,
  ledger: LedgerSnapshot,
): string {
  const { candidates, refusals, best, reason, spent, seconds } = result;
  const { optimized } = report;
  const clusters = new Set(optimized.rows.map(({ cluster }) => cluster)).size;
  const figures = [report, ...report.objectives];
  return [
    `${reasons[reason]}; ${spent.metricCalls} metric calls, ${spent.lmCalls} LM calls, ${spent.tokens} tokens, ${seconds.toFixed(1)} s`,
    `${candidates.length - 1} proposals accepted, ${refusals.length} refused${refusalText(result)}`,
    `best: candidate ${lineOf(best, candidates).join(" < ")}, ${best.selection.value.toFixed(4)} on val (seed ${candidates[0]?.selection.value.toFixed(4) ?? ""})`,
    "",
    `test, which no decision saw: ${optimized.rows.length} examples in ${clusters} clusters`,
    ...figures.flatMap(figureText),
    comparisonText(report.comparison).trimStart().replaceAll("the baseline", "the seed"),
    ...figures
      .filter(({ seed, optimized }) => !seed.isAcceptable || !optimized.isAcceptable)
      .map(({ metric }) => `${metric}: too much stayed unscored, no claim can be made`),
    "",
    ...ledgerText(ledger),
  ].join("\n");
}

const reasons: Readonly<Record<StopReason, string>> = {
  budget: "stopped at the budget",
  stopper: "stopped by a stopper",
  perfect: "stopped with a perfect score on val",
  "nothing-new": "stopped since reflection brought nothing new",
  "reflection-failing": "stopped since the reflection LM kept failing",
};

function refusalText({ refusals }: OptimizationResult): string {
  const counts = Map.groupBy(refusals, ({ reason }) => reason);
  const parts = [...counts].map(([reason, { length }]) => `${length} ${reason}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Ids from the candidate back to the seed. */
function lineOf(
  { id, parents }: CandidateRecord,
  candidates: readonly CandidateRecord[],
): readonly number[] {
  const parent = candidates[parents[0] ?? -1];
  return parent === undefined ? [id] : [id, ...lineOf(parent, candidates)];
}

function figureText({ metric, seed, optimized, comparison }: ReportedFigure): readonly string[] {
  const { difference, interval } = comparison;
  return [
    `${metric}  seed       ${shown(seed.value)}  ${intervalText(seed.interval)}`,
    `${" ".repeat(metric.length)}  optimized  ${shown(optimized.value)}  ${intervalText(optimized.interval)}`,
    `${" ".repeat(metric.length)}  paired     ${difference < 0 ? "" : "+"}${difference.toFixed(4)}  ${intervalText(interval)}`,
  ];
}

function shown(value: number | null): string {
  return value === null ? "nothing was scored" : value.toFixed(4);
}
