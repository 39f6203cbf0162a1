/**
 * Of the rollouts after the seed's evaluation, those that are kept for completing the best
 * candidate on the `offPanel` examples of val that the panel leaves out: none where they are a
 * tenth or more.
 */
export function keptOf(afterSeed: number, offPanel: number): number {
  return 10 * offPanel < afterSeed ? offPanel : 0;
}
