/** Harmonic mean of numbers of at least 0; 0 where one is 0 or below, or where there is none. */
export function harmonicMeanOf(values: readonly number[]): number {
  if (values.length === 0 || values.some((value) => value <= 0)) return 0;
  return values.length / values.reduce((sum, value) => sum + 1 / value, 0);
}
