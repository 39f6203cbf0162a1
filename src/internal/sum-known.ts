/** The sum of two counts, `null` if either is unknown. */
export function sumKnown(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}
