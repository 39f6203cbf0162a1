/**
 * When a known rollout may count for another candidate.
 *
 * - `none`: never.
 * - `candidate`: for the very same candidate on the same example, in evaluations on val only, like
 *   the cache of gepa 0.1.4.
 * - `trace`: for the same example and the same texts in every component that the known rollout's
 *   trace ran. Exact for a deterministic program, since a text that did not run changed nothing.
 *   Re-runs the first rollout that it could have reused and about one in 64 of the others, or one
 *   in 16 while differences look suspicious, and stops reusing once a score differs for a reason
 *   other than run-to-run variation.
 * - `trace-always`: like `trace`, without the re-runs.
 */
export type ScoreReuse = "none" | "candidate" | "trace" | "trace-always";

/** What a `ScoreReuse` means, one question at a time. */
export interface ReuseMode {
  readonly name: ScoreReuse;
  /** Whether a known rollout ever counts again. */
  readonly reuses: boolean;
  /** Whether it does so on train, too. */
  readonly reusesOnTrain: boolean;
  /** Whether it counts for all candidates with its texts in what its trace ran. */
  readonly sharesByTrace: boolean;
  /** Whether some reused rollouts are run again, to check them. */
  readonly rechecks: boolean;
}

export const reuseModes: { readonly [Name in ScoreReuse]: ReuseMode } = {
  none: {
    name: "none",
    reuses: false,
    reusesOnTrain: false,
    sharesByTrace: false,
    rechecks: false,
  },
  candidate: {
    name: "candidate",
    reuses: true,
    reusesOnTrain: false,
    sharesByTrace: false,
    rechecks: false,
  },
  trace: {
    name: "trace",
    reuses: true,
    reusesOnTrain: true,
    sharesByTrace: true,
    rechecks: true,
  },
  "trace-always": {
    name: "trace-always",
    reuses: true,
    reusesOnTrain: true,
    sharesByTrace: true,
    rechecks: false,
  },
};
