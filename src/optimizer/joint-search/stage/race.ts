import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Configuration } from "../lever/lever.ts";
import { configurationKey } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";

/** Examples of val that a finalist is run on in one round. */
const roundSize = 4;
/** Standard deviations behind the leader at which a finalist is out. */
const outBehind = 1.64;
/** Finalists besides the program as it is. */
export const mostFinalists = 4;

/**
 * The configuration that is expected to be best, the best of those tried, and the program as it is,
 * which comes first.
 */
export function finalists(
  { initial }: Levers,
  evidence: Evidence,
  most: number,
): readonly Configuration[] {
  const tried = evidence.trials
    .map(({ configuration }) => ({
      configuration,
      gain: evidence.gain(configuration, initial).mean,
    }))
    .toSorted((one, other) => other.gain - one.gain)
    .map(({ configuration }) => configuration);
  const own = configurationKey(initial);
  const chosen = new Map<string, Configuration>();
  for (const one of [evidence.expectedBest(), ...tried]) {
    const key = configurationKey(one);
    if (key !== own && chosen.size < most) chosen.set(key, one);
  }
  return [initial, ...chosen.values()];
}

/**
 * Runs finalists on val, a few examples each in turn, until all but one are out, or the budget or
 * val ends.
 */
export async function race(
  all: readonly Configuration[],
  evidence: Evidence,
  {
    run,
    onRun,
    onRound,
  }: {
    readonly run: OptimizerRun;
    /** Called after each finalist's part of a round. */
    readonly onRun: () => void;
    readonly onRound: (running: readonly Configuration[]) => void;
  },
): Promise<void> {
  for (;;) {
    const running = stillRunning(all, evidence);
    if (running.length < 2) return;
    let isAnyLeft = false;
    for (const one of running) {
      const val = evidence.next("val", roundSize, one);
      if (val.length === 0) continue;
      if (!run.fits({ rollouts: val.length, reflectionCalls: 0 })) return;
      isAnyLeft = true;
      await evidence.run(one, { train: [], val });
      onRun();
    }
    if (!isAnyLeft) return;
    onRound(running);
  }
}

/** The leader, and those that may still be better. */
function stillRunning(all: readonly Configuration[], evidence: Evidence): readonly Configuration[] {
  const [first] = all;
  if (first === undefined) return [];
  const leader = all.reduce((best, one) => (evidence.gain(one, best).mean > 0 ? one : best), first);
  return all.filter((one) => {
    if (one === leader) return true;
    const { mean, deviation } = evidence.gain(leader, one);
    return mean < outBehind * deviation;
  });
}
