import type { Judged } from "../../statistics/index.ts";
import { verdictWords } from "../../statistics/index.ts";
import { intervalText } from "./interval-text.ts";
import { signedText } from "./signed-text.ts";

/** A difference with what its verdict goes by. */
export function differenceText(judged: Judged): string {
  const { difference, interval, pValue, clusters } = judged;
  const shown = verdictWords(judged, "").isIntervalTooNarrow
    ? `(no interval: ${clusters} independent groups of examples are too few)`
    : intervalText(interval);
  return `${signedText(difference)}  ${shown}, p = ${pValue.toFixed(4)}`;
}

/** The verdict, what decided it, and what would help: a line for each. */
export function verdictText(judged: Judged, baseline: string): readonly string[] {
  const { verdict, reason, help } = verdictWords(judged, baseline);
  return [
    `${verdict}: difference ${differenceText(judged)}`,
    ...[reason, help].filter((line) => line !== null),
  ];
}
