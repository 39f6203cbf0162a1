import { withChanges } from "../../../internal/index.ts";
import type { CandidateRecord, Selection } from "../../candidate/candidate-record.ts";
import { selectionOf } from "../../evaluation/index.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";
import { sum } from "../../../statistics/index.ts";

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

/** Rollouts on val of a candidate that was accepted on part of it; 0 for any other. */
export function missingOf(
  candidate: CandidateRecord | undefined,
  { evidence, settings: { validation } }: Tools,
): number {
  if (candidate?.selection.seen === undefined) return 0;
  // A policy that neither draws a panel nor accepts early leaves out the rest on purpose.
  if (validation.panel === undefined && validation.accept === undefined) return 0;
  return evidence.missingOnVal(candidate.components);
}

/**
 * Tools for a search that leaves of its budget what completes the best candidate on all of val,
 * where that is little of it. Where all of val is the panel, nothing is left: so few examples are
 * better spent on more children.
 */
export function keepingForBest({ best, panel }: SearchState, tools: Tools): Tools {
  const { run, space } = tools;
  const spent = run.spent.metricCalls / run.repetitions;
  const afterSeed = run.rolloutsLeft(0) + spent - space.val.length;
  const least = keptOf(afterSeed, space.val.length - panel.exampleIds.length);
  if (least === 0) return tools;
  const kept = Math.max(least, missingOf(best, tools));
  return {
    ...tools,
    run: withChanges(run, {
      fits: ({ rollouts: needed, reflectionCalls }) =>
        run.fits({ rollouts: needed === 0 ? 0 : needed + kept, reflectionCalls }),
      rolloutsLeft: (texts) => Math.max(0, run.rolloutsLeft(texts) - kept),
    }),
  };
}

/**
 * Of the rollouts after the seed's evaluation, those that are kept for completing the best
 * candidate on the `offPanel` examples of val that the panel leaves out: none where they are a
 * tenth or more.
 */
export function keptOf(afterSeed: number, offPanel: number): number {
  return 10 * offPanel < afterSeed ? offPanel : 0;
}

/**
 * A candidate's selection from all that is known of it by now: on all of val or, if something is
 * missing there, on the panel. What happens to be known of the rest stands for itself alone, and
 * would count as much as what stands for many.
 */
export function knownSelection(
  { components }: CandidateRecord,
  { panel }: SearchState,
  { run, space, evidence }: Tools,
): Selection | null {
  const known = evidence.known(components, "val");
  const ids = evidence.missingOnVal(components) === 0 ? space.val : panel.exampleIds;
  return selectionOf(
    run.summarize(
      "val",
      ids.flatMap((id) => known(id) ?? []),
    ),
  );
}

/** Of scores from 0 to 1, the most that one's variance can be: assumed until it is measured. */
export const maxVariance = 0.25;

/** How often a candidate was run on each example of the panel, by what is known. */
export function runCounts(
  { components }: CandidateRecord,
  { panel }: SearchState,
  { evidence }: Tools,
): readonly { readonly id: string; readonly count: number }[] {
  const known = evidence.known(components, "val");
  return panel.exampleIds.map((id) => {
    const rollout = known(id);
    return { id, count: rollout === undefined ? 0 : evidence.runCount(rollout) };
  });
}

/** Runs of a candidate on the panel in all, at least 1. */
export function runsOnPanel(candidate: CandidateRecord, state: SearchState, tools: Tools): number {
  return Math.max(1, sum(runCounts(candidate, state, tools).map(({ count }) => count)));
}
