import type { Contrast } from "../data/contrast.ts";
import type { RunComparison } from "../data/run-comparison.ts";

/** The contrast that the headline describes; without one, the first. */
export function mainContrast({
  headline,
  contrasts,
}: Pick<RunComparison, "headline" | "contrasts">): Contrast | undefined {
  const sides = new Set([headline?.winner.name, headline?.baseline.name]);
  return (
    contrasts.find(({ other, baseline }) => sides.has(other.name) && sides.has(baseline.name)) ??
    contrasts[0]
  );
}
