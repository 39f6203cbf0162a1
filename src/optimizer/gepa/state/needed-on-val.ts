import type { Evidence } from "../score-reuse/evidence.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";

/**
 * Whether a child may be accepted before it was run on the whole panel. Without score reuse it is
 * not: a parent could not be run on the rest with a later child. Nor is one with caveats, which has
 * more to prove than the policy's test asks.
 */
export function canDecideEarly(
  { validation, perfectScore }: Pick<GepaSettings, "validation" | "perfectScore">,
  { mode }: Pick<Evidence, "mode">,
  { caveats }: { readonly caveats: readonly string[] } = { caveats: [] },
): boolean {
  if (caveats.length > 0) return false;
  return validation.accept !== undefined && perfectScore !== null && mode.reuses;
}

/** Rollouts that must be left for an evaluation on val to begin, of `missing` that it lacks. */
export function neededOnVal(
  missing: number,
  { panel }: Pick<SearchState, "panel">,
  { settings, evidence, space }: Pick<Tools, "settings" | "evidence" | "space">,
  child?: { readonly caveats: readonly string[] },
): number {
  const most = Math.min(missing, panel.exampleIds.length);
  if (!canDecideEarly(settings, evidence, child)) return most;
  const { minibatchSize } = settings;
  const run = { train: space.train.length, val: most, components: 1, minibatchSize };
  return Math.min(most, settings.validation.costs?.(run).rejected ?? most);
}
