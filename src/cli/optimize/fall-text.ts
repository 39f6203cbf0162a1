import type { ReportedFigure } from "./test-report.ts";
import { isClaimable } from "./test-report.ts";

/** The lines that name each figure that fell: a loss is easily overlooked beside what rose. */
export function fallText(figures: readonly ReportedFigure[]): readonly string[] {
  return figures.flatMap((figure) => {
    const { difference, verdict } = figure.comparison;
    if (!isClaimable(figure) || difference >= 0) return [];
    const isShown = verdict === "worse" ? "shown" : "not shown, its interval touches zero";
    return [`${figure.metric} fell by ${(-difference).toFixed(4)} (${isShown})`];
  });
}
