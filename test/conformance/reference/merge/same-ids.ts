/** Whether two lists hold the same ids in the same order. */
export function sameIds(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}
