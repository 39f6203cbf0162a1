/** Added from first to last: another order may differ in the last digits. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** NaN of no values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
