import type { Candidate } from "../../contract/index.ts";
import { maxFitting } from "../budget/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { SearchLog } from "../contract/search-log.ts";
import type { Rollout } from "../evaluation/index.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** A set that is being tested, and its rollouts on val so far. */
export interface Racer {
  readonly components: Candidate;
  readonly rollouts: readonly Rollout[];
}

/** A panel of fewer examples says little. */
const smallestPanel = 16;

/**
 * How many examples of val judge sets: so few that a budget has room for the program as it is and,
 * where no run on train is needed, a race of four sets. Part of val says nothing of an objective
 * that is not a mean over examples.
 */
export function panelSize(
  { val, isMean = true }: Pick<SearchSpace, "val" | "isMean">,
  rollouts: number,
): number {
  if (!isMean) return val.length;
  return Math.min(val.length, Math.max(smallestPanel, Math.floor(rollouts / 3)));
}

/** Shares of val after which the worse half of the sets is left behind. */
const stageShares = [1 / 4, 1 / 2, 1];

/** Numbers of val examples at the ends of the stages, ascending. */
function stagesOf(valSize: number): readonly number[] {
  return [...new Set(stageShares.map((share) => Math.ceil(share * valSize)))];
}

/** The most rollouts of a race of so many sets. */
export function raceCost(sets: number, valSize: number): number {
  let [cost, before, going] = [0, 0, sets];
  for (const stage of stagesOf(valSize)) {
    cost += going * (stage - before);
    [before, going] = [stage, Math.ceil(going / 2)];
  }
  return cost;
}

/** How many of some sets a budget of rollouts carries to the end of a race. */
export function setsThatFit(rollouts: number, sets: number, valSize: number): number {
  return maxFitting(sets, (count) => raceCost(count, valSize) <= rollouts);
}

/**
 * Runs sets on the same examples of val, in stages: after each the worse half is left behind, so
 * that most rollouts go to sets that may be the best (successive halving; Jamieson and Talwalkar,
 * AISTATS 2016). Those for which the rest of the budget has no room are left behind, too. Returns
 * those that were run to the end, the best first, and those that were left behind.
 */
export async function raceSets(
  racers: readonly Racer[],
  {
    run,
    log,
    order,
    gainOf,
  }: {
    readonly run: OptimizerRun;
    readonly log: SearchLog;
    /** Ids of the examples of val that judge. */
    readonly order: readonly string[];
    /** The gain over the seed on the same examples. */
    readonly gainOf: (rollouts: readonly Rollout[]) => number;
  },
): Promise<{ readonly ahead: readonly Racer[]; readonly behind: readonly Racer[] }> {
  let ahead = racers;
  const behind: Racer[] = [];
  let seen = 0;
  for (const stage of stagesOf(order.length)) {
    const exampleIds = order.slice(seen, stage);
    const fitting = maxFitting(ahead.length, (count) =>
      run.fits({ rollouts: count * exampleIds.length, reflectionCalls: 0 }),
    );
    behind.push(...ahead.slice(fitting));
    ahead = ahead.slice(0, fitting);
    if (fitting === 0) break;
    const added = await run.evaluate(
      ahead.map(({ components }) => ({ candidate: components, split: "val", exampleIds })),
    );
    log.evaluated(...added);
    const ranked = ahead
      .map((racer, index) => {
        const rollouts = [...racer.rollouts, ...(added[index] ?? [])];
        return { racer: { ...racer, rollouts }, index, gain: gainOf(rollouts) };
      })
      .toSorted((one, other) => other.gain - one.gain || one.index - other.index)
      .map(({ racer }) => racer);
    const kept = stage === order.length ? ranked.length : Math.ceil(ranked.length / 2);
    behind.push(...ranked.slice(kept));
    ahead = ranked.slice(0, kept);
    seen = stage;
  }
  return { ahead, behind };
}
