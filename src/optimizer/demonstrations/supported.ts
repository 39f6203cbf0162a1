import type { Candidate, Component, Demonstration } from "../../contract/index.ts";
import { normalQuantile } from "../../statistics/index.ts";
import { bestOf } from "../candidate/best-of.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { objectiveGain } from "./objective-gain.ts";

/** Chance that demonstrations which bring nothing stay, over all that were tried. */
const chance = 0.05;

/**
 * The best candidate, if its demonstrations are shown to bring something on val: else the best of
 * those that show none but the program's own. The best of many is ahead by chance alone,
 * so each of those tried gets its share of the level (Bonferroni).
 */
export function bestSupported(
  best: CandidateRecord,
  candidates: readonly CandidateRecord[],
  {
    space,
    run,
    rolloutsOf,
    tried = candidates.length - 1,
  }: {
    readonly space: SearchSpace;
    readonly run: OptimizerRun;
    /** On val. */
    readonly rolloutsOf: (candidate: CandidateRecord) => readonly Rollout[];
    /** Combinations that were run on val. @default the candidates but the seed */
    readonly tried?: number;
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
  return mean > normalQuantile(1 - chance / Math.max(1, tried)) * deviation ? best : bare;
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
