import { wealth } from "./wealth.ts";

/** How good one answer was, or two to the same question; in [0, 1]. */
export type Observation =
  | { readonly baseline: number; readonly candidate: null }
  | { readonly baseline: null; readonly candidate: number }
  | { readonly baseline: number; readonly candidate: number };

/** When a rollout is decided. */
export interface RolloutRules {
  /** Probability at most that a candidate that is not worse is rolled back, ever; in (0, 1). */
  readonly alpha: number;
  /** By how much the mean score of a candidate may be below the other's; in [0, 1). */
  readonly tolerance: number;
}

/** What the observations so far say. */
export interface Findings {
  readonly baseline: ArmFindings;
  readonly candidate: ArmFindings;
  /** How many differences the tests saw. */
  readonly comparisons: number;
  /** Wealth of the bet that the candidate is worse by more than the tolerance. */
  readonly worse: number;
  /** Wealth of the bet that the candidate is better. */
  readonly better: number;
  /** Whether that wealth ever reached `1 / alpha`. */
  readonly isShownWorse: boolean;
  readonly isShownBetter: boolean;
}

export interface ArmFindings {
  /** How many keys were counted. */
  readonly keys: number;
  /** `null` of none. */
  readonly meanScore: number | null;
}

export interface Evidence {
  add(observation: Observation): void;
  readonly findings: Findings;
}

/**
 * Sums up observations in their order; the same ones give the same findings wherever they are summed up.
 *
 * Of two answers to one question the difference is taken as it is. Answers to different questions are
 * compared in blocks: as soon as both versions have answered since the last block, the difference of their
 * means there is one comparison. What a block holds depends on who asked and not on how well it was answered, so
 * that under equal means its difference is 0 on average; and since a block is of one time, a change of what is
 * asked, from day to night, reaches both alike.
 */
export function evidence({ alpha, tolerance }: RolloutRules): Evidence {
  const worse = wealth(tolerance);
  const better = wealth(0);
  const totals = { baseline: sum(), candidate: sum() };
  let block = { baseline: sum(), candidate: sum() };
  let comparisons = 0;
  let isShownWorse = false;
  let isShownBetter = false;

  const compare = (difference: number): void => {
    comparisons += 1;
    worse.add(-difference);
    better.add(difference);
    isShownWorse ||= worse.amount >= 1 / alpha;
    isShownBetter ||= better.amount >= 1 / alpha;
  };
  return {
    add: ({ baseline, candidate }) => {
      if (baseline !== null) totals.baseline.add(baseline);
      if (candidate !== null) totals.candidate.add(candidate);
      if (baseline !== null && candidate !== null) {
        compare(candidate - baseline);
        return;
      }
      if (baseline !== null) block.baseline.add(baseline);
      if (candidate !== null) block.candidate.add(candidate);
      const [of, against] = [block.candidate.mean(), block.baseline.mean()];
      if (of === null || against === null) return;
      block = { baseline: sum(), candidate: sum() };
      compare(of - against);
    },
    get findings() {
      return {
        baseline: totals.baseline.findings(),
        candidate: totals.candidate.findings(),
        comparisons,
        worse: worse.amount,
        better: better.amount,
        isShownWorse,
        isShownBetter,
      };
    },
  };
}

function sum(): {
  readonly add: (score: number) => void;
  readonly mean: () => number | null;
  readonly findings: () => ArmFindings;
} {
  let keys = 0;
  let total = 0;
  const mean = (): number | null => (keys === 0 ? null : total / keys);
  return {
    add: (score) => {
      keys += 1;
      total += score;
    },
    mean,
    findings: () => ({ keys, meanScore: mean() }),
  };
}
