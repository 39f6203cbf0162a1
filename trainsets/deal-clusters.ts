import { createHash } from "node:crypto";
import type { SplitName } from "espalier";

export interface ClusterToDeal {
  readonly id: string;
  /** The stratum of each member, such as its kind of question. */
  readonly strata: readonly string[];
}

/**
 * Assigns whole clusters to the splits so that every stratum comes as close to its shares as whole
 * clusters allow. The largest cluster goes first; each goes to the split whose shortfall over the
 * cluster's strata is the largest part of what that split should get. Ties are broken by the hash
 * of the id. The assignment is deterministic.
 *
 * @param shares Share of each split, above 0; they sum to 1.
 */
export function dealClusters(
  clusters: readonly ClusterToDeal[],
  shares: Readonly<Partial<Record<SplitName, number>>>,
): ReadonlyMap<string, SplitName> {
  const totals = countsOf(clusters.flatMap(({ strata }) => strata));
  const names = Object.keys(shares) as SplitName[];
  const dealt = new Map<SplitName, Map<string, number>>(names.map((name) => [name, new Map()]));
  const order = clusters.toSorted(
    (left, right) =>
      right.strata.length - left.strata.length || (hash(left.id) < hash(right.id) ? -1 : 1),
  );
  return new Map(
    order.map(({ id, strata }) => {
      const needOf = (split: SplitName): number =>
        [...countsOf(strata)].reduce((sum, [stratum, count]) => {
          const target = (shares[split] ?? 0) * (totals.get(stratum) ?? 0);
          return sum + (count * (target - (dealt.get(split)?.get(stratum) ?? 0))) / target;
        }, 0);
      const split = names.reduce((best, name) => (needOf(name) > needOf(best) ? name : best));
      const held = dealt.get(split);
      for (const stratum of strata) held?.set(stratum, (held.get(stratum) ?? 0) + 1);
      return [id, split];
    }),
  );
}

function countsOf(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    [...Map.groupBy(values, (value) => value)].map(([name, all]) => [name, all.length]),
  );
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
