import type { ReportedFigure, TestReport } from "./test-report.ts";
import { isClaimable } from "./test-report.ts";

/** A report for machines. */
export function reportData(report: TestReport): object {
  return { ...figureData(report), objectives: report.objectives.map(figureData) };
}

function figureData(figure: ReportedFigure): object {
  const { metric, seed, optimized, comparison } = figure;
  const { difference, interval, pValue, examples, clusters } = comparison;
  const verdict = isClaimable(figure) ? comparison.verdict : "undecided";
  return {
    metric,
    seed: seed.value,
    optimized: optimized.value,
    difference: { mean: difference, low: interval?.low ?? null, high: interval?.high ?? null },
    intervals: { seed: seed.interval, optimized: optimized.interval },
    verdict,
    /** Refused where the interval touches zero, or too much stayed unscored. */
    improved: verdict === "better",
    repeats: optimized.repetitions,
    pValue,
    examples,
    clusters,
  };
}
