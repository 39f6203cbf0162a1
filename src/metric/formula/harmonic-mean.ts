/** Harmonic mean of non-negative numbers; 0 for an empty list or if any number is 0 or below. */
export function harmonicMeanOf(values: readonly number[]): number {
  if (values.length === 0 || values.some((value) => value <= 0)) return 0;
  return values.length / values.reduce((sum, value) => sum + 1 / value, 0);
}
