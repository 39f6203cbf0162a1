import type { GepaSettings } from "./gepa-settings.ts";

/** How likely an outcome must be for a search to look ahead; absent if it never does. */
export function aheadFrom({
  proposals,
  merge,
  failureModes,
}: Pick<GepaSettings, "proposals" | "merge" | "failureModes">): number | undefined {
  // Merges, and modes named on the way, are decided by more than a child's verdict.
  const mayLook = proposals.isWide === true && merge === null && failureModes === undefined;
  return mayLook ? proposals.looksAheadFrom : undefined;
}
