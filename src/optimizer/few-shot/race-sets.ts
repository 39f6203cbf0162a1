import type { Candidate } from "../../contract/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { Rollout } from "../evaluation/index.ts";

/** A set that is being tested, and its rollouts on val so far. */
export interface Racer {
  readonly components: Candidate;
  readonly rollouts: readonly Rollout[];
}

/** Where a race has come to. */
export interface Race {
  /** Those that were run as far as the race went, the best first. */
  readonly ahead: readonly Racer[];
  /** Those that were left behind. */
  readonly behind: readonly Racer[];
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

/**
 * How many of some sets to race: as many, from two on, as the budget carries to the end of val;
 * otherwise, unless they must get there, through the first two stages; 0 where not even one fits
 * the first.
 */
export function setsThatFit(
  run: OptimizerRun,
  sets: number,
  { valSize, mustFinish }: { readonly valSize: number; readonly mustFinish: boolean },
): number {
  const left = run.rolloutsLeft(0);
  const [first = valSize, second = first] = stagesOf(valSize);
  for (let count = sets; count > (mustFinish ? 0 : 1); count--) {
    if (raceCost(count, valSize) <= left) return count;
  }
  if (mustFinish) return 0;
  const halfway = Math.min(sets, Math.floor(left / ((first + second) / 2)));
  return halfway > 0 ? halfway : Number(first <= left);
}

/**
 * Runs sets on the same examples of val, in stages: after each the worse half is left behind, so
 * that most rollouts go to sets that may be the best (successive halving; Jamieson and Talwalkar,
 * AISTATS 2016). A stage that does not fit the budget for all is run by as many as it fits.
 */
export async function raceSets(
  racers: readonly Racer[],
  {
    run,
    order,
    gainOf,
    onStage,
  }: {
    readonly run: OptimizerRun;
    /** Ids of val. */
    readonly order: readonly string[];
    /** The gain over the seed on the same examples. */
    readonly gainOf: (rollouts: readonly Rollout[]) => number;
    /** Called with the racers of a stage and the rollouts that it added to each. */
    readonly onStage: (racers: readonly Racer[], added: readonly (readonly Rollout[])[]) => void;
  },
): Promise<Race> {
  let ahead = racers;
  const behind: Racer[] = [];
  let seen = 0;
  for (const stage of stagesOf(order.length)) {
    const going = ahead.slice(0, racersThatFit(run, ahead.length, stage - seen));
    if (going.length === 0) break;
    const exampleIds = order.slice(seen, stage);
    const added = await run.evaluate(
      going.map(({ components }) => ({ candidate: components, split: "val", exampleIds })),
    );
    onStage(going, added);
    const ranked = going
      .map((racer, index) => {
        const rollouts = [...racer.rollouts, ...(added[index] ?? [])];
        return { racer: { ...racer, rollouts }, index, gain: gainOf(rollouts) };
      })
      .toSorted((one, other) => other.gain - one.gain || one.index - other.index)
      .map(({ racer }) => racer);
    const kept = stage === order.length ? ranked.length : Math.ceil(ranked.length / 2);
    behind.push(...ahead.slice(going.length), ...ranked.slice(kept));
    ahead = ranked.slice(0, kept);
    seen = stage;
  }
  return { ahead, behind };
}

function racersThatFit(run: OptimizerRun, racers: number, examples: number): number {
  for (let count = racers; count > 0; count--) {
    if (run.fits({ rollouts: count * examples, reflectionCalls: 0 })) return count;
  }
  return 0;
}
