import { keptOf } from "../settings/kept-of.ts";
import { withChanges } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";

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
