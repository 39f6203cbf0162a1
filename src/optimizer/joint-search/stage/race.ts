import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Configuration } from "../lever/lever.ts";
import { configurationKey } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";

/** Examples of val in one round. */
const roundSize = 4;
/** Standard deviations behind the leader at which a finalist is out. */
const outBehind = 1.64;
/**
 * Finalists besides the program as it is. More would share the same rollouts, and differ by less
 * than these can tell.
 */
export const mostInRace = 2;

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
 * Runs finalists on val, all on the same few examples in turn, until all but one are out, or the
 * budget or val ends.
 *
 * @param all the program as it is, and the others
 */
export async function race(
  all: readonly Configuration[],
  evidence: Evidence,
  {
    run,
    val,
    onRun,
    onRound,
  }: {
    readonly run: OptimizerRun;
    /** In random order. */
    readonly val: readonly string[];
    /** Called after each finalist's part of a round. */
    readonly onRun: () => void;
    readonly onRound: (running: readonly Configuration[]) => void;
  },
): Promise<void> {
  for (;;) {
    const running = stillRunning(all, evidence);
    if (running.length < 2) return;
    const shared = sharedExamples(running, evidence, { val, initial: all[0] ?? [] });
    if (shared.length === 0) return;
    for (const one of running) {
      const missing = evidence.missing("val", shared, one);
      if (missing.length === 0) continue;
      if (!run.fits({ rollouts: missing.length, reflectionCalls: 0 })) return;
      evidence.begin({ train: [], val: missing });
      await evidence.run(one, { train: [], val: missing });
      onRun();
    }
    onRound(running);
  }
}

/**
 * Examples for a round: those that most were run on already, and of these those of the program as
 * it is. Where examples differ more than configurations do, a gain is known from pairs alone.
 */
function sharedExamples(
  running: readonly Configuration[],
  evidence: Evidence,
  { val, initial }: { readonly val: readonly string[]; readonly initial: Configuration },
): readonly string[] {
  const missing = running.map((one) => new Set(evidence.missing("val", val, one)));
  const missingInInitial = new Set(evidence.missing("val", val, initial));
  return val
    .map((id) => ({
      id,
      missing: missing.filter((of) => of.has(id)).length,
      isNew: missingInInitial.has(id),
    }))
    .filter((one) => one.missing > 0)
    .toSorted((one, other) => one.missing - other.missing || +one.isNew - +other.isNew)
    .slice(0, roundSize)
    .map(({ id }) => id);
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

/** Finalists besides the program as it is. */
export const mostOnVal = 4;

/**
 * Rollouts to keep for runs on all of val, where values of parts of it say little: what the program
 * as it is still needs there, and as many finalists as come nearest to the share for a race.
 */
export function keptForWholeVal(
  initial: Configuration,
  evidence: Evidence,
  { share, val }: { readonly share: number; readonly val: readonly string[] },
): number {
  const own = evidence.missing("val", val, initial).length;
  const count = Math.round((share - own) / val.length);
  return own + Math.min(mostOnVal, Math.max(1, count)) * val.length;
}

/** Finalists and the part of val that all of them are to be run on. */
interface FittingOnVal {
  readonly finalists: readonly Configuration[];
  readonly part: readonly string[];
}

/**
 * The program as it is, which comes first, and of the others in their order those for which all of
 * val fits. If it fits for none, the first two, and as large a part of val as fits.
 *
 * @param left rollouts that may be spent
 */
export function fittingOnVal(
  all: readonly Configuration[],
  evidence: Evidence,
  { val, left }: { readonly val: readonly string[]; readonly left: number },
): FittingOnVal {
  const costOn = (part: readonly string[], some: readonly Configuration[]): number =>
    some.reduce((sum, one) => sum + evidence.missing("val", part, one).length, 0);
  const [initial, ...others] = all;
  const fitting = all.slice(0, 1);
  for (const one of others) {
    if (costOn(val, [...fitting, one]) <= left) fitting.push(one);
  }
  if (initial === undefined || others.length === 0 || fitting.length > 1) {
    return { finalists: fitting, part: val };
  }
  const finalists = all.slice(0, 2);
  // What the program as it is was run on costs least.
  const missing = new Set(evidence.missing("val", val, initial));
  const order = [...val.filter((id) => !missing.has(id)), ...missing];
  let size = order.length;
  while (size > 0 && costOn(order.slice(0, size), finalists) > left) size--;
  return { finalists, part: order.slice(0, size) };
}

/** Runs each on what it was not run on yet. */
export async function runOnVal(
  { finalists, part }: FittingOnVal,
  evidence: Evidence,
  {
    run,
    onRun,
  }: {
    readonly run: Pick<OptimizerRun, "fits">;
    /** Called after each finalist. */
    readonly onRun: () => void;
  },
): Promise<void> {
  for (const one of finalists) {
    const val = evidence.missing("val", part, one);
    if (val.length === 0) continue;
    if (!run.fits({ rollouts: val.length, reflectionCalls: 0 })) return;
    await evidence.run(one, { train: [], val });
    onRun();
  }
}
