import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Configuration } from "../lever/lever.ts";

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
export interface FittingOnVal {
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
