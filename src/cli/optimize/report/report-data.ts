import type { Comparison, Evaluation } from "../../../evaluate/index.ts";
import type { ReportedFigure } from "../../../optimizer/files.ts";
import type { Drift } from "../../../statistics/index.ts";
import type { EvaluatedFigure, TestReport } from "./test-report.ts";

/** Whether enough examples were scored to support any claim. */
export function isClaimable({ seed, optimized }: EvaluatedFigure): boolean {
  return seed.isAcceptable && optimized.isAcceptable;
}

/** What a report found, as the run's folder keeps it. */
export function reportedFigures(report: TestReport): readonly ReportedFigure[] {
  const measured = ({ value, interval }: Evaluation) => ({ value, interval });
  const drift = driftOf(report);
  return [report, ...report.objectives].map((figure) => {
    const { metric, seed, optimized, comparison } = figure;
    return {
      metric,
      seed: measured(seed),
      optimized: measured(optimized),
      comparison: comparison && withoutDropped(comparison),
      isClaimable: isClaimable(figure),
      ...(figure === report && drift && { drift }),
    };
  });
}

function withoutDropped({ dropped: _dropped, ...rest }: Comparison): Omit<Comparison, "dropped"> {
  return rest;
}

/** What repeated rows show, where it is beyond noise. */
function driftOf({ drift }: Pick<TestReport, "drift">): Drift | undefined {
  if (drift === null || drift.verdict === "undecided") return undefined;
  return { examples: drift.examples, difference: drift.difference };
}

/** A report as JSON data. */
export function reportData(report: TestReport): object {
  const objectives = report.objectives.map(figureData);
  return { ...figureData(report), objectives, drift: driftOf(report) ?? null };
}

function figureData(figure: EvaluatedFigure): object {
  const { metric, seed, optimized, comparison } = figure;
  const judged = isClaimable(figure) ? comparison?.verdict : "undecided";
  const verdict = comparison === null ? "unchanged" : judged;
  const { low = null, high = null } = comparison?.interval ?? {};
  const clusters = new Set(optimized.rows.map(({ cluster }) => cluster));
  return {
    metric,
    seed: seed.value,
    optimized: optimized.value,
    difference: comparison && { mean: comparison.difference, low, high },
    intervals: { seed: seed.interval, optimized: optimized.interval },
    verdict,
    /** With enough examples scored. */
    improved: verdict === "better",
    repeats: optimized.repetitions,
    pValue: comparison && comparison.pValue,
    examples: comparison?.examples ?? optimized.counts.scored,
    clusters: comparison?.clusters ?? clusters.size,
  };
}
