import { mean } from "../../src/statistics/index.ts";
import { share, signed } from "./figures.ts";

/** A figure on test, as the last line of JSON of `npm run optimize` has it. */
export interface TestFigure {
  readonly metric: string;
  readonly seed: number;
  readonly optimized: number;
  readonly difference: { readonly mean: number };
  readonly verdict: string;
}

/** Searches on one trainset that differ in their random seed alone. */
export interface MeasuredTrainset {
  readonly name: string;
  /** Number of passages searched. */
  readonly passages: number;
  /** A list for each search: the optimized metric first, then every further objective. */
  readonly searches: readonly (readonly TestFigure[])[];
}

export function optimizeTable(trainsets: readonly MeasuredTrainset[]): string {
  return [
    "| trainset | passages | metric on test | declared | optimized, mean | difference, mean [least, most] | shown better, not shown, worse |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...trainsets.flatMap(({ name, passages, searches }) =>
      (searches[0] ?? []).map(({ metric, seed }) => {
        const figures = searches.flat().filter((figure) => figure.metric === metric);
        const differences = figures.map(({ difference }) => difference.mean);
        const ends = [Math.min(...differences), Math.max(...differences)].map(signed).join(", ");
        const verdicts = ["better", "undecided", "worse"].map(
          (verdict) => figures.filter((figure) => figure.verdict === verdict).length,
        );
        return `| ${[
          name,
          passages.toLocaleString("en"),
          `\`${metric}\``,
          share(seed, 3),
          share(mean(figures.map(({ optimized }) => optimized)), 3),
          `${signed(mean(differences))} [${ends}]`,
          verdicts.join(", "),
        ].join(" | ")} |`;
      }),
    ),
  ].join("\n");
}
