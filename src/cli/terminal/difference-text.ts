import type { Comparison } from "../../evaluate/index.ts";
import { furtherExamples } from "./further-examples.ts";
import { intervalText } from "./interval-text.ts";
import { signedText } from "./signed-text.ts";

type Compared = Pick<
  Comparison,
  "verdict" | "difference" | "interval" | "pValue" | "examples" | "clusters"
>;

/**
 * A difference with what the verdict goes by. An interval that excludes zero while the verdict is
 * undecided is left out: with few clusters it is too narrow, and it would contradict the verdict.
 */
export function differenceText(compared: Compared): string {
  const { difference, interval, pValue } = compared;
  const shown = isOverruled(compared)
    ? `(no interval: with ${compared.clusters} clusters it would be too narrow)`
    : intervalText(interval);
  return `${signedText(difference)}  ${shown}, p = ${pValue.toFixed(4)}`;
}

/** Why the verdict is what it is, and what would change it. */
export function verdictReason(compared: Compared): readonly string[] {
  const { verdict, difference, interval, pValue, clusters } = compared;
  if (verdict !== "undecided") {
    return ["decided by both: the interval excludes zero, and p is at most 0.05"];
  }
  if (difference === 0) return [];
  const reason =
    interval === null
      ? "undecided: there are fewer than two clusters"
      : pValue > 0.05
        ? `undecided by p: it is above 0.05${clusters < 6 ? ", as it always is with fewer than six clusters" : ""}`
        : "undecided by the interval: it includes zero";
  const further = furtherExamples(compared);
  return [
    reason,
    ...(further === null
      ? []
      : [
          `about ${further.toLocaleString("en")} more ${further === 1 ? "example" : "examples"} in other clusters would show a difference of this size, if it is real`,
        ]),
  ];
}

function isOverruled({ verdict, interval }: Compared): boolean {
  return verdict === "undecided" && interval !== null && (interval.low > 0 || interval.high < 0);
}
