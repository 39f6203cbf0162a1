import type { GepaSettings } from "./gepa-settings.ts";

/**
 * Whether a child must first do better on its minibatch, given the rollouts that its evaluation on
 * val would take: a minibatch is worth its runs only if val costs much more.
 */
export function mustPassMinibatch(
  { gateAbove, minibatchSize }: Pick<GepaSettings, "gateAbove" | "minibatchSize">,
  onVal: number,
): boolean {
  if (gateAbove === null) return false;
  // 0 requires the minibatch even if nothing is missing on val.
  return gateAbove === 0 || onVal > gateAbove * minibatchSize;
}
