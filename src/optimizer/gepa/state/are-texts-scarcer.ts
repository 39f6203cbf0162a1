import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";

/**
 * Whether the budget will run out of texts, so many for each child, before it runs out of metric
 * calls; a child takes `onVal` of these while none has been judged.
 */
export function areTextsScarcer(
  onVal: number,
  { outcomes: { accepted, rejected } }: SearchState,
  { run, space, rollouts }: Pick<Tools, "run" | "space" | "rollouts">,
  textsPerChild = 1,
): boolean {
  const judged = accepted + rejected;
  const spent = rollouts.neededMetricCalls() / run.repetitions - space.val.length;
  const perChild = judged === 0 ? onVal : spent / judged;
  const children = Math.ceil(run.rolloutsLeft(0) / Math.max(1, perChild));
  return !run.fits({ rollouts: 0, reflectionCalls: textsPerChild * children });
}
