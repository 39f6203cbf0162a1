import type { Example } from "../contract/index.ts";
import { randomSource } from "../internal/index.ts";

export interface ClusterSampleOptions {
  /** At least 1. If there are no more examples than this, all are taken. */
  readonly count: number;
  readonly seed: number;
  /** Labels whose values together name an example's stratum. @default none: one stratum */
  readonly strata?: readonly string[];
}

/**
 * Draws exactly `count` examples as whole clusters, which are what intervals resample: a
 * conversation comes with all its turns. Only the cluster that would exceed a stratum's share is
 * cut, by drawing among its examples. Shares are proportional, with the largest remainders rounded
 * up (Hamilton's method). A cluster belongs to the stratum of most of its examples; ties go to the
 * first. Examples keep their order.
 */
export function sampleByCluster<TExample extends Example>(
  examples: readonly TExample[],
  { count, seed, strata = [] }: ClusterSampleOptions,
): readonly TExample[] {
  if (count >= examples.length) return examples;
  const clusters = Map.groupBy(examples, ({ id, cluster = id }) => cluster).values();
  const byStratum = [...Map.groupBy(clusters, (members) => stratumOf(members, strata))].toSorted(
    ([left], [right]) => (left < right ? -1 : 1),
  );
  const shares = proportionalShares(
    byStratum.map(([, held]) => held.flat().length),
    count,
    seed,
  );
  const drawn = new Set(
    byStratum.flatMap(([, held], index) => {
      const random = randomSource(seed, "sample-by-cluster/members", index);
      const taken: TExample[] = [];
      for (const members of random.shuffle(held)) {
        const left = (shares[index] ?? 0) - taken.length;
        if (left === 0) break;
        taken.push(...(members.length <= left ? members : random.sample(members, left)));
      }
      return taken;
    }),
  );
  return examples.filter((example) => drawn.has(example));
}

/** The most frequent stratum of a cluster. */
function stratumOf(members: readonly Example[], strata: readonly string[]): string {
  const counts = [...Map.groupBy(members, ({ labels }) => valuesIn(labels, strata))];
  return counts.reduce((best, one) => (one[1].length > best[1].length ? one : best), [
    "",
    [],
  ] as (typeof counts)[number])[0];
}

function valuesIn(labels: unknown, strata: readonly string[]): string {
  const held = typeof labels === "object" && labels !== null ? { ...labels } : {};
  return JSON.stringify(strata.map((name) => (held as Record<string, unknown>)[name] ?? null));
}

/** Whole shares of `total` in proportion to the sizes; ties between remainders are drawn. */
function proportionalShares(
  sizes: readonly number[],
  total: number,
  seed: number,
): readonly number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const quotas = sizes.map((size, index) => ({ index, exact: (total * size) / all }));
  const whole = quotas.map(({ exact }) => Math.floor(exact));
  const left = total - whole.reduce((sum, one) => sum + one, 0);
  const roundedUp = new Set(
    randomSource(seed, "sample-by-cluster/ties")
      .shuffle(quotas)
      .toSorted((one, other) => (other.exact % 1) - (one.exact % 1))
      .slice(0, left)
      .map(({ index }) => index),
  );
  return whole.map((share, index) => share + (roundedUp.has(index) ? 1 : 0));
}
