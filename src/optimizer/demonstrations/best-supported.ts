import type { Candidate, Component, Demonstration } from "../../contract/index.ts";
import { bestOf } from "../candidate/best-of.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { objectiveGain } from "./objective-gain.ts";

/**
 * Standard errors on val by which demonstrations must bring something to stay; one example alone is
 * about one. Where a dozen sets bring nothing, the best is as far ahead in a quarter of searches;
 * at twice as much, searches of real gains lose more than prompts get shorter.
 */
const least = 1.2;

/**
 * The best candidate, if val supports its demonstrations: else the best of those that show none but
 * the program's own. Fewer than two clusters support nothing.
 */
export function bestSupported(
  best: CandidateRecord,
  candidates: readonly CandidateRecord[],
  {
    space,
    run,
    rolloutsOf,
  }: {
    readonly space: SearchSpace;
    readonly run: OptimizerRun;
    /** On val. */
    readonly rolloutsOf: (candidate: CandidateRecord) => readonly Rollout[];
  },
): CandidateRecord {
  const bare = bestOf(
    candidates.filter(({ components }) => showsNoOthers(components, space.components)),
  ) as CandidateRecord;
  if (bare === best) return best;
  const { mean, deviation } = objectiveGain(space, run, {
    rollouts: rolloutsOf(best),
    over: rolloutsOf(bare),
  });
  return mean > least * deviation ? best : bare;
}

function showsNoOthers(components: Candidate, own: Candidate): boolean {
  return components.every((component, place) => {
    const shown = new Set(demonstrationsIn(own[place]));
    return demonstrationsIn(component).every((one) => shown.has(one));
  });
}

function demonstrationsIn(component: Component | undefined): readonly Demonstration[] {
  return component?.kind === "demos" ? component.value : [];
}
