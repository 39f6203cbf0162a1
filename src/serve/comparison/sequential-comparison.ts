import { boundedShare } from "./bounded-share.ts";
import { pooledMartingale } from "./pooled-martingale.ts";

/** How good one answer was, or two to the same question; in [0, 1]. */
export type Scores =
  | { readonly baseline: number; readonly candidate: null }
  | { readonly baseline: null; readonly candidate: number }
  | { readonly baseline: number; readonly candidate: number };

export type Observation = Scores & {
  /** Tells API keys apart. */
  readonly apiKey: string;
  /** As `observationWeight` has it; in [0, 1]. */
  readonly weight: number;
};

/** When a rollout is decided. */
export interface CanaryRules {
  /** Probability at most that a candidate that is not worse is rolled back, ever; in (0, 1). */
  readonly alpha: number;
  /** By how much the mean score of a candidate may be below the other's; in [0, 1). */
  readonly tolerance: number;
  /**
   * Most that one API key may be of what counts, in [0.5, 1]. Below 1 the evidence also has to hold
   * without any one of them, so that a single key decides nothing.
   */
  readonly keyShare: number;
}

/** What the observations so far say. */
export interface Findings {
  readonly baseline: ArmFindings;
  readonly candidate: ArmFindings;
  /** How many API keys contributed; all who ask without one are one. */
  readonly apiKeys: number;
  /**
   * Observations of an API key beyond its share, which do not count yet; of each at most 10,000.
   */
  readonly waiting: number;
  /** Whether enough API keys contributed: where none may decide alone, two at least. */
  readonly isDecidable: boolean;
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

export interface SequentialComparison {
  add(observation: Observation): void;
  readonly findings: Findings;
}

/**
 * Sums up observations in their order; the same ones give the same findings wherever they are
 * summed up.
 *
 * Of two answers to one question the difference is taken as it is. A single answer is compared with
 * what the baseline was expected to score, and weighed by the share of keys that its version
 * answers: a key's version is drawn by the server, so that under equal scores the two cancel out on
 * average whatever was asked and whatever was expected (P. Ham, I. Bojinov, M. Lindon, M. Tingley,
 * "Design-based confidence sequences", 2022). That also holds where a client chooses each question
 * by the answers that it had before.
 */
export function sequentialComparison({
  alpha,
  tolerance,
  keyShare,
}: CanaryRules): SequentialComparison {
  const isBounded = keyShare < 1;
  const worse = pooledMartingale({ tolerance, isBounded });
  const better = pooledMartingale({ tolerance: 0, isBounded });
  const expected = expectedScore();
  const counted = boundedShare<{ readonly observation: Observation; readonly expects: number }>(
    keyShare,
  );
  const apiKeys = new Set<string>();
  const totals = { baseline: sum(), candidate: sum() };
  let comparisons = 0;
  let isShownWorse = false;
  let isShownBetter = false;

  const count = ({ apiKey, weight, baseline, candidate }: Observation, expects: number): void => {
    if (baseline !== null) totals.baseline.add(baseline);
    if (candidate !== null) totals.candidate.add(candidate);
    if (weight === 0) return;
    comparisons += 1;
    const difference = weight * ((candidate ?? expects) - (baseline ?? expects));
    const tolerated = candidate === null ? 0 : weight * tolerance;
    worse.add(apiKey, -difference - tolerated);
    better.add(apiKey, difference);
    isShownWorse ||= worse.amount >= 1 / alpha;
    isShownBetter ||= better.amount >= 1 / alpha;
  };
  return {
    add: (observation) => {
      const { apiKey, baseline } = observation;
      apiKeys.add(apiKey);
      const expects = expected.of(apiKey);
      if (baseline !== null) expected.learn(apiKey, baseline);
      for (const each of counted.add(apiKey, { observation, expects })) {
        count(each.observation, each.expects);
      }
    },
    get findings() {
      return {
        baseline: totals.baseline.findings(),
        candidate: totals.candidate.findings(),
        apiKeys: apiKeys.size,
        waiting: counted.waiting,
        isDecidable: !isBounded || apiKeys.size > 1,
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
  readonly findings: () => ArmFindings;
} {
  let keys = 0;
  let total = 0;
  return {
    add: (score) => {
      keys += 1;
      total += score;
    },
    findings: () => ({ keys, meanScore: keys === 0 ? null : total / keys }),
  };
}

/** What an answer of the baseline is expected to score, from those before it. */
interface ExpectedScore {
  of(apiKey: string): number;
  /** @param score of an answer of the baseline */
  learn(apiKey: string, score: number): void;
}

/**
 * The mean of the API key's own scores, with the mean over all keys as one score more. Each key
 * weighs the same in that one, however often it asks.
 */
function expectedScore(): ExpectedScore {
  const keys = new Map<string, { readonly sum: number; readonly count: number }>();
  let sumOfMeans = 0;
  const nothing = { sum: 0, count: 0 };
  return {
    of: (apiKey) => {
      const { sum, count } = keys.get(apiKey) ?? nothing;
      const common = (sumOfMeans + 0.5) / (keys.size + 1);
      return (sum + common) / (count + 1);
    },
    learn: (apiKey, score) => {
      const { sum, count } = keys.get(apiKey) ?? nothing;
      const now = { sum: sum + score, count: count + 1 };
      sumOfMeans += now.sum / now.count - (count === 0 ? 0 : sum / count);
      keys.set(apiKey, now);
    },
  };
}
