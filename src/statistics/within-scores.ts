/**
 * An estimate as it is shown. A model of the score knows no bounds, but where every score that was
 * seen lies between 0 and 1, no mean of them lies outside.
 */
export function withinScores(estimate: number, scores: readonly (number | null)[]): number {
  const seen = scores.filter((score) => score !== null);
  const isShare = seen.length > 0 && seen.every((score) => score >= 0 && score <= 1);
  return isShare ? Math.min(1, Math.max(0, estimate)) : estimate;
}
