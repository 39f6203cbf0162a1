import type { OptimizerRun, OutsideStop } from "./optimizer.ts";

/** Why a search is to end, asked between two iterations; the answer is recorded. `null`: go on. */
export function outsideStopIn(
  stops: readonly OutsideStop[],
  run: Pick<OptimizerRun, "observe">,
): string | null {
  for (const { name, stop } of stops) {
    const detail = run.observe(() => stop());
    if (detail !== null) return `${name}: ${detail}`;
  }
  return null;
}
