import type { ReportsFile } from "../../optimizer/files.ts";
import { verdictText } from "../terminal/difference-text.ts";
import { intervalText } from "../terminal/interval-text.ts";

/** What each report on test found, in the words in which it was printed. */
export function reportText(figures: ReportsFile["figures"]): readonly string[] {
  return Object.entries(figures).flatMap(([candidate, found]) => [
    `report on test of candidate ${candidate}, held out from the search`,
    ...found.flatMap(({ metric, seed, optimized, comparison, isClaimable }) => [
      `  ${metric}  seed       ${valueText(seed)}`,
      `  ${" ".repeat(metric.length)}  optimized  ${valueText(optimized)}`,
      ...(isClaimable
        ? verdictText(comparison, "the seed")
        : ["too many examples remained unscored, so no claim can be made"]
      ).map((line) => `  ${" ".repeat(metric.length)}  ${line}`),
    ]),
  ]);
}

function valueText({ value, interval }: ReportsFile["figures"][string][number]["seed"]): string {
  return value === null ? "nothing was scored" : `${value.toFixed(4)}  ${intervalText(interval)}`;
}
