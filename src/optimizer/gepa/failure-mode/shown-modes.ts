import type { Rollout } from "../../evaluation/index.ts";
import type { FailureMode, KnownModes } from "./failure-modes.ts";

/** A failure mode as a request for a text shows it. */
export interface ShownMode extends FailureMode {
  /** Known failures in this mode from which the step can learn, and how many there are in all. */
  readonly failures: number;
  readonly ofFailures: number;
  /** Its examples among those shown. */
  readonly exampleIds: readonly string[];
}

/**
 * The modes of a step's failures, in the order of their first examples among those shown, and then
 * the most frequent first; empty if none of them is known.
 */
export function shownModes(
  { modes, modeOf }: KnownModes,
  {
    failures,
    shown,
  }: { readonly failures: readonly Rollout[]; readonly shown: readonly Rollout[] },
): readonly ShownMode[] {
  const idsIn = (rollouts: readonly Rollout[], mode: FailureMode): readonly string[] =>
    rollouts.filter((rollout) => modeOf(rollout) === mode).map(({ exampleId }) => exampleId);
  const ids = shown.map(({ exampleId }) => exampleId);
  const placeOf = ({ exampleIds: [first = ""] }: ShownMode): number =>
    ids.includes(first) ? ids.indexOf(first) : ids.length;
  return modes
    .map((mode) => ({
      ...mode,
      failures: idsIn(failures, mode).length,
      ofFailures: failures.length,
      exampleIds: idsIn(shown, mode),
    }))
    .filter((mode) => mode.failures > 0)
    .toSorted((one, other) => placeOf(one) - placeOf(other) || other.failures - one.failures);
}
