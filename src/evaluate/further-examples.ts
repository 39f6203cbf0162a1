import type { Judged } from "./verdict.ts";

/**
 * About how many further examples, in clusters of their own, would show a difference of the size
 * that was seen, in four of five such comparisons: by a normal approximation from the interval's
 * width. `null` where nothing is to be shown: a verdict stands, there is no difference, or no
 * interval.
 */
export function furtherExamples({
  verdict,
  difference,
  interval,
  examples,
  clusters,
}: Omit<Judged, "pValue">): number | null {
  if (verdict !== "undecided" || interval === null || difference === 0) return null;
  const standardError = (interval.high - interval.low) / (2 * z95);
  const needed = clusters * ((z95 + z80) * (standardError / Math.abs(difference))) ** 2;
  const further = (Math.max(needed, fewestClusters) - clusters) * (examples / clusters);
  // A difference that varies so little failed for its few clusters alone.
  return rounded(Math.max(further, 1));
}

const z95 = 1.96;
const z80 = 0.84;

/** With fewer, no permutation test reaches 0.05; see `compare`. */
const fewestClusters = 6;

/** Up to two digits that count: it is an estimate. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
}
