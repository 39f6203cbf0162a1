import { sum } from "../../../statistics/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";

/** Of scores from 0 to 1, the most that one's variance can be: assumed until it is measured. */
export const mostVariance = 0.25;

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
