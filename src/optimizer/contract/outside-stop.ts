import type { JsonObject } from "../../contract/index.ts";
import type { OptimizerRun, OutsideStop } from "./optimizer.ts";

/**
 * What outside stops add to an optimizer's settings: a run that asks them records more answers than
 * one that does not, so neither can go on as the other.
 */
export function describedStops(stops: readonly OutsideStop[]): JsonObject {
  return stops.length === 0 ? {} : { stop: stops.map(({ name }) => name) };
}

/** Why a search is to end, asked between two iterations; the answer is recorded. `null`: go on. */
export function outsideStopIn(
  stops: readonly OutsideStop[],
  run: Pick<OptimizerRun, "observe" | "stopAsked">,
): string | null {
  for (const { name, stop } of stops) {
    const detail = run.observe(() => stop());
    if (detail !== null) return `${name}: ${detail}`;
  }
  return run.stopAsked?.() ?? null;
}
