import { EspalierError } from "../../errors/index.ts";
import type { Retriever } from "../../contract/index.ts";
import { checkCount, contentHash } from "../../internal/index.ts";

export interface FusionOptions {
  /** Reduces the advantage of the first ranks; above -1. @default 60 */
  readonly k0?: number;
  /** One per run, at least 0; a run with weight 0 is ignored. @default 1 each */
  readonly weights?: readonly number[];
}

/**
 * Weighted reciprocal rank fusion: an item scores the sum of `weight / (k0 + rank)` over the runs
 * that hold it, ranks from 1 (Cormack, Clarke and Büttcher, SIGIR 2009, with weights). Best first,
 * ties by id in code-unit order; the result does not depend on the order of the runs. If a run
 * repeats an id, its first rank counts; returned items come from the first run that has them.
 *
 * @example reciprocalRankFusion([lexical, dense], { weights: [0.4, 0.6] }).slice(0, 10)
 * @throws EspalierError `option-invalid`
 */
export function reciprocalRankFusion<TItem extends { readonly id: string }>(
  runs: readonly (readonly TItem[])[],
  { k0 = 60, weights = runs.map(() => 1) }: FusionOptions = {},
): (TItem & { readonly score: number })[] {
  checkFusion(runs.length, k0, weights);
  const parts = new Map<string, { readonly item: TItem; readonly shares: number[] }>();
  for (const [index, run] of runs.entries()) {
    const weight = weights[index] ?? 0;
    if (weight === 0) continue;
    const seen = new Set<string>();
    for (const item of run) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      const part = parts.get(item.id) ?? { item, shares: [] };
      part.shares.push(weight / (k0 + seen.size));
      parts.set(item.id, part);
    }
  }
  return [...parts.values()]
    .map(({ item, shares }) => ({ ...item, score: sumInOneOrder(shares) }))
    .toSorted(
      (left, right) =>
        right.score - left.score || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0),
    );
}

/** Floating-point sums depend on their order; the order of the runs must not matter. */
function sumInOneOrder(shares: readonly number[]): number {
  return shares.toSorted((left, right) => left - right).reduce((sum, share) => sum + share, 0);
}

function checkFusion(runs: number, k0: number, weights: readonly number[]): void {
  if (!(Number.isFinite(k0) && k0 > -1)) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The fusion constant is invalid",
      expected: "`k0`, finite and above -1",
      got: String(k0),
    });
  }
  if (weights.length !== runs) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The weights do not match the runs",
      expected: `${runs} weights`,
      got: String(weights.length),
    });
  }
  if (runs > 0) checkWeights(weights);
}

/** Checks weights of runs: none negative, at least one positive. */
function checkWeights(weights: readonly number[]): void {
  const isUsable = weights.every((weight) => Number.isFinite(weight) && weight >= 0);
  if (isUsable && weights.some((weight) => weight > 0)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The weights are invalid",
    expected: "`weights`: finite, none negative, at least one positive",
    got: weights.join(", "),
  });
}

export interface HybridOptions extends FusionOptions {
  readonly retrievers: readonly Retriever[];
  /** Number of passages requested from each retriever; `k` if that is larger. @default 100 */
  readonly depth?: number;
  /** Name in call paths and traces. @default "hybrid" */
  readonly name?: string;
  readonly module?: string;
}

/**
 * Combines several retrievers by reciprocal rank fusion. A program that tunes the constants calls
 * `reciprocalRankFusion` itself. The caller remains responsible for closing the retrievers.
 *
 * @throws EspalierError `option-invalid`
 */
export function hybrid({
  retrievers,
  depth = 100,
  name = "hybrid",
  module,
  ...fusion
}: HybridOptions): Retriever {
  checkCount("depth", depth);
  // Throws for invalid options now instead of at the first query.
  reciprocalRankFusion(
    retrievers.map(() => []),
    fusion,
  );
  const versions = retrievers.map((retriever) => [retriever.name, retriever.version]);
  return {
    name,
    version: `1-${contentHash({ versions, depth, ...fusion }).slice(0, 12)}`,
    ...(module === undefined ? {} : { module }),
    doRetrieve: async ({ query, k }, { signal }) => {
      checkCount("k", k);
      signal?.throwIfAborted();
      const request = { query, k: Math.max(k, depth) };
      const runs = await Promise.all(
        retrievers.map((retriever) =>
          retriever.doRetrieve(request, signal === undefined ? {} : { signal }),
        ),
      );
      return reciprocalRankFusion(runs, fusion).slice(0, k);
    },
  };
}
