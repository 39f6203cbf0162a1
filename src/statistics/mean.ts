/** Adds from first to last: another order may change the last digits. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** NaN for an empty list. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
