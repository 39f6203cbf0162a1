import { weightedFusion } from "./weighted-fusion.ts";

/** Rankings fused with equal weights and k0 60; one alone stays as it is. */
export function fusedInOneLevel<TItem extends { readonly id: string; readonly score: number }>(
  rankings: readonly (readonly TItem[])[],
): readonly TItem[] {
  const [only, ...others] = rankings;
  if (only !== undefined && others.length === 0) return only;
  return weightedFusion(
    rankings.map((items) => ({ items, weight: 1 })),
    60,
  );
}
