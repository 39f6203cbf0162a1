import type { ReportsFile } from "../../optimizer/files.ts";
import { figuresText } from "../terminal/figures-text.ts";

/** What each report on test found, in the words in which it was printed. */
export function reportText(figures: ReportsFile["figures"]): readonly string[] {
  return Object.entries(figures).flatMap(([candidate, found]) => [
    `report on test of candidate ${candidate}, held out from the search`,
    ...figuresText(found).map((line) => `  ${line}`),
  ]);
}
