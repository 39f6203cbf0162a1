import type { Artifact } from "../../artifact/index.ts";
import type { Comparison } from "../../evaluate/index.ts";
import type { ReportsFile } from "../../optimizer/files.ts";
import type { Interval } from "../../statistics/index.ts";
import type { TestFigure } from "../data/compared-source.ts";

/** The figures of a run's log of reports: of each candidate the objective first. */
export function loggedFigures(reported: ReportsFile["figures"]): readonly TestFigure[] {
  return Object.entries(reported).flatMap(([candidate, figures]) =>
    figures.map(({ metric, seed, optimized, comparison, isClaimable, drift }): TestFigure => ({
      candidate: Number(candidate),
      metric,
      ...optimized,
      seed,
      // A claim about few examples would be about those that are easy to score.
      ...(isClaimable && { comparison }),
      ...(drift && { drift }),
    })),
  );
}

/**
 * The figure on test that an artifact holds of its program; none if nothing was reported. One whose
 * search changed nothing may compare candidate 0 with itself.
 */
export function testFigures(artifact: Artifact): readonly TestFigure[] {
  const { seedOnTest, comparison } = artifact.run as {
    readonly seedOnTest?: { readonly value: number | null; readonly interval: Interval | null };
    readonly comparison?: Comparison | null;
  };
  const isUnchanged = comparison === null || artifact.compiled.optimizer?.["best"] === "0";
  return artifact.compiled.scores
    .filter(({ split }) => split === "test")
    .map(({ metric, value, interval }): TestFigure => {
      const figure = { candidate: 0, metric: metric.name, value, interval };
      if (isUnchanged) return { ...figure, seed: { value, interval }, comparison: null };
      if (seedOnTest === undefined || comparison === undefined) return figure;
      const { dropped: _dropped, ...paired } = comparison;
      const { value: before, interval: around } = seedOnTest;
      return { ...figure, seed: { value: before, interval: around }, comparison: paired };
    });
}
