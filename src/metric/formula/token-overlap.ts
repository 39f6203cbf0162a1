/** Overlap of the tokens of two texts, as multisets; each figure in [0, 1]. */
export interface TokenOverlap {
  /** Share of the prediction's tokens that occur in the reference. */
  readonly precision: number;
  /** Share of the reference's tokens that occur in the prediction. */
  readonly recall: number;
  readonly f1: number;
}

const none: TokenOverlap = Object.freeze({ precision: 0, recall: 0, f1: 0 });

/** Multiset overlap; all 0 if no token is shared, also for two empty sides. */
export function overlapOf(
  predicted: readonly string[],
  reference: readonly string[],
): TokenOverlap {
  const left = new Map<string, number>();
  for (const token of reference) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of predicted) {
    const count = left.get(token) ?? 0;
    if (count > 0) common++;
    left.set(token, count - 1);
  }
  if (common === 0) return none;
  const precision = common / predicted.length;
  const recall = common / reference.length;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}
