import type { Strategy } from "./strategies.ts";
import { weightedFusion } from "./weighted-fusion.ts";

/** The parameters of the nested fusion; only the ratios of weights matter. */
export interface NestedFusionOptions {
  /** Level 1: the three rewrites that vary most, in one consensus. */
  readonly weak: {
    readonly k0: number;
    readonly weights: Readonly<Record<WeakStrategy, number>>;
  };
  /** Level 2: the two stable rewrites, and the consensus. */
  readonly k0: number;
  readonly weights: Readonly<Record<StableStrategy | "weak", number>>;
}

export type StableStrategy = "minimal" | "corpusSpecific";
export type WeakStrategy = Exclude<Strategy, StableStrategy>;

/**
 * Nested reciprocal rank fusion (AILS-NTUA, SemEval-2026 Task 8, equation 2): anchor-keyword,
 * chain-of-thought and hypothetical rewrites form one weak ranking, which is fused with the minimal
 * and the corpus-specific one. Ties go by first appearance, in this order: minimal,
 * corpus-specific, weak.
 */
export function nestedFusion<TItem extends { readonly id: string }>(
  runs: Readonly<Record<Strategy, readonly TItem[]>>,
  { weak, k0, weights }: NestedFusionOptions,
): (TItem & { readonly score: number })[] {
  const consensus = weightedFusion(
    (["anchorKeyword", "chainOfThought", "hypothetical"] as const).map((strategy) => ({
      items: runs[strategy],
      weight: weak.weights[strategy],
    })),
    weak.k0,
  );
  return weightedFusion<TItem>(
    [
      { items: runs.minimal, weight: weights.minimal },
      { items: runs.corpusSpecific, weight: weights.corpusSpecific },
      { items: consensus, weight: weights.weak },
    ],
    k0,
  );
}
