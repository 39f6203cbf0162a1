import { pooledMartingale } from "./pooled-martingale.ts";

/** Score of one answer, or of two answers to the same question; in [0, 1]. */
export type Scores =
  | { readonly baseline: number; readonly candidate: null }
  | { readonly baseline: null; readonly candidate: number }
  | { readonly baseline: number; readonly candidate: number };

export type Observation = Scores & {
  readonly apiKey: string;
  /** The result of `observationWeight`; in [0, 1]. */
  readonly weight: number;
};

/** Rules that decide a rollout. */
export interface CanaryRules {
  /** Maximum probability of ever rolling back a candidate that is no worse; in (0, 1). */
  readonly alpha: number;
  /** How far a candidate's mean score may be below the baseline's; in [0, 1). */
  readonly tolerance: number;
  /**
   * Maximum share of one API key among the observations that count, in [0.5, 1]. Below 1 the
   * evidence also has to hold without any one key, so that a single key decides nothing.
   */
  readonly keyShare: number;
}

/** Results of the observations so far. */
export interface Findings {
  readonly baseline: ArmFindings;
  readonly candidate: ArmFindings;
  /** Number of contributing API keys; all requests without a key count as one. */
  readonly apiKeys: number;
  /** Observations beyond their API key's share, which do not count yet; at most 10,000 per key. */
  readonly waiting: number;
  /** Whether enough API keys contributed: at least two if no key may decide alone. */
  readonly isDecidable: boolean;
  /** Number of differences that the tests saw. */
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
  readonly keys: number;
  /** `null` without observations. */
  readonly meanScore: number | null;
}

export interface SequentialComparison {
  add(observation: Observation): void;
  readonly findings: Findings;
}

/**
 * Summarizes observations in their order; the same observations give the same findings in every
 * process.
 *
 * For two answers to one question it takes the difference directly. It compares a single answer
 * with the baseline's expected score, and weighs it by the share of keys that get its version: the
 * server draws a key's version, so that under equal scores the two cancel out on average, whatever
 * was asked and whatever was expected (P. Ham, I. Bojinov, M. Lindon, M. Tingley, "Design-based
 * confidence sequences", 2022). This also holds if a client chooses each question by the answers
 * that it got before.
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

/** The expected score of a baseline answer, learned from earlier ones. */
interface ExpectedScore {
  of(apiKey: string): number;
  /** @param score of a baseline answer */
  learn(apiKey: string, score: number): void;
}

/**
 * The mean of the API key's own scores, with the mean over all keys counted as one more score. Each
 * key has the same weight in the latter, however often it asks.
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

/** Holds back what one API key contributes beyond its share. */
interface BoundedShare<TItem> {
  /** Number of items held back now. */
  readonly waiting: number;
  /** @returns the items that count from now on, each key's in order of arrival */
  add(apiKey: string, item: TItem): readonly TItem[];
}

/**
 * One key contributes at most `share` of the items that count; its other items wait until other
 * keys contribute more. The choice depends only on how many items there are, not on their content;
 * otherwise outcomes could influence it. At most 10,000 items of a key wait, and items beyond that
 * never count, because a client can invent any number of users.
 *
 * @param share in [0.5, 1]: each of two keys must be able to have its half; 1 sets no bound
 */
export function boundedShare<TItem>(share: number): BoundedShare<TItem> {
  const queues = new Map<string, Queue<TItem>>();
  const held = new Map<string, Queue<TItem>>();
  let arrived = 0;
  let waiting = 0;
  const maxFreed = (queue: Queue<TItem>): number =>
    // The epsilon offsets the rounding of the quotient: 3 of 4 must give 3, not 2.
    Math.floor((share / (1 - share)) * (arrived - queue.arrived) + 1e-9);
  return {
    get waiting() {
      return waiting;
    },
    add: (apiKey, item) => {
      if (share === 1) return [item];
      const queue = queues.get(apiKey) ?? { items: [], arrived: 0 };
      if (queue.items.length >= maxWaiting) return [];
      queues.set(apiKey, queue);
      held.set(apiKey, queue);
      queue.items.push(item);
      queue.arrived += 1;
      arrived += 1;
      waiting += 1;
      const free: TItem[] = [];
      for (const [heldKey, each] of held) {
        const { items } = each;
        const more = maxFreed(each) - (each.arrived - items.length);
        if (more <= 0) continue;
        free.push(...items.splice(0, more));
        if (items.length === 0) held.delete(heldKey);
      }
      waiting -= free.length;
      return free;
    },
  };
}

/** Per API key: a bound on memory. */
const maxWaiting = 10_000;

interface Queue<TItem> {
  readonly items: TItem[];
  arrived: number;
}
