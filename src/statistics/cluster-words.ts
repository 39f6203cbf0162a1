/** What is said in place of the bounds of an interval that there is not. */
export const noInterval = "(no interval: fewer than two independent groups of examples)";

/**
 * In how many clusters examples are, where that is not as many.
 *
 * @param meaning what a cluster is; empty where the reader has been told
 */
export function inClusters(
  clusters: number,
  examples: number,
  meaning = " (groups of related examples)",
): string {
  if (clusters === examples) return "";
  return ` in ${clusters} ${clusters === 1 ? "cluster" : "clusters"}${meaning}`;
}
