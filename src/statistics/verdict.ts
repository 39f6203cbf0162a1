import type { Interval } from "./cluster-bootstrap.ts";

export type Verdict = "better" | "worse" | "undecided";

/** What a verdict is based on, and what its wording says. */
export interface Judged {
  readonly verdict: Verdict;
  /** Other minus baseline. */
  readonly difference: number;
  readonly interval: Interval | null;
  readonly pValue: number;
  readonly examples: number;
  readonly clusters: number;
  /** Number of examples on which the other scored higher, and lower. */
  readonly better: number;
  readonly worse: number;
}

/**
 * The one rule: "better" or "worse" only if the interval excludes zero and the p-value is at most
 * 0.05. A bootstrap alone is overconfident with few clusters, while no permutation test can reach
 * 0.05 with fewer than six.
 */
export function verdictOf(interval: Interval | null, pValue: number): Verdict {
  if (interval === null || pValue > 0.05) return "undecided";
  if (interval.low > 0) return "better";
  return interval.high < 0 ? "worse" : "undecided";
}

/** A verdict in words, the same wherever one is shown. None ends with a full stop. */
export interface VerdictWords {
  /**
   * `better than the seed`, `worse than the seed`, `not shown to differ from the seed`; of a tie
   * `as good as the seed on every example`.
   */
  readonly verdict: string;
  /** Which part of the rule decided; `null` where there is no difference. */
  readonly reason: string | null;
  /** What would show the difference; `null` where nothing is to be shown. */
  readonly help: string | null;
  /**
   * Whether the interval excludes zero while the verdict is undecided: with few clusters it is too
   * narrow, and shown it would contradict the verdict.
   */
  readonly isIntervalTooNarrow: boolean;
}

export function verdictWords(judged: Judged, baseline: string): VerdictWords {
  const { verdict, interval } = judged;
  const further = furtherExamples(judged);
  return {
    verdict: isTie(judged)
      ? `as good as ${baseline} on every example`
      : `${shortVerdicts[verdict]} ${verdict === "undecided" ? "from" : "than"} ${baseline}`,
    reason: reasonOf(judged),
    help:
      further === null
        ? null
        : `about ${further.toLocaleString("en")} more independent ${further === 1 ? "example" : "examples"} would show a difference of this size, if it is real`,
    isIntervalTooNarrow:
      verdict === "undecided" && interval !== null && (interval.low > 0 || interval.high < 0),
  };
}

/** A verdict as a sentence, the same in every output; of a change, after whether it is a gain. */
export function verdictSentence(
  verdict: Verdict,
  words: string,
  { on, other, isChange = true, hasLoss = false }: VerdictPlace,
): string {
  const gain = hasLoss ? "a gain and a loss" : "a gain";
  const kind = { better: gain, worse: "a loss", undecided: "no gain is shown" }[verdict];
  return `${isChange ? `${kind}: ` : ""}on ${on}, ${other} is ${words}`;
}

interface VerdictPlace {
  readonly on: string;
  readonly other: string;
  readonly isChange?: boolean;
  readonly hasLoss?: boolean;
}

/** What a report says of a search whose result is what it started from. */
export const nothingChanged = "the search chose the program it started from";

/** How far one program differs from itself, measured again on the same rows. */
export interface Drift {
  readonly examples: number;
  readonly difference: number;
}

/** A drift that is beyond noise, in words. */
export function driftWords({ examples, difference }: Drift): string {
  const how = `${Math.abs(difference).toFixed(3)} ${difference > 0 ? "higher" : "lower"}`;
  return `the same program scored ${how} on ${examples} rows that were repeated at the end: the judge, an index or the LM may have drifted`;
}

/** Whether no example tells the two apart. */
export function isTie({ better, worse }: Pick<Judged, "better" | "worse">): boolean {
  return better === 0 && worse === 0;
}

/** Verdicts where a table names the baseline. */
export const shortVerdicts: Readonly<Record<Verdict, string>> = {
  better: "better",
  worse: "worse",
  undecided: "not shown to differ",
};

function reasonOf({ verdict, difference, interval, pValue, clusters }: Judged): string | null {
  if (verdict !== "undecided") {
    return "decided by both: the interval excludes zero, and p is at most 0.05";
  }
  if (difference === 0) return null;
  if (interval === null) {
    return clusters < 2
      ? "undecided: there are fewer than two independent groups of examples"
      : "undecided: without resamples there is no interval";
  }
  if (pValue <= 0.05) return "undecided: the interval includes zero";
  return `undecided: p is above 0.05${clusters < 6 ? ", as it always is with fewer than six independent groups of examples" : ""}`;
}

/**
 * About how many further examples, in clusters of their own, would show a difference of the size
 * that was seen, in four of five such comparisons: by a normal approximation from the interval's
 * width. `null` where nothing is to be shown: a verdict stands, there is no difference, or no
 * interval.
 */
function furtherExamples({
  verdict,
  difference,
  interval,
  examples,
  clusters,
}: Judged): number | null {
  if (verdict !== "undecided" || interval === null || difference === 0) return null;
  const standardError = (interval.high - interval.low) / (2 * z95);
  const needed = clusters * ((z95 + z80) * (standardError / Math.abs(difference))) ** 2;
  const further = (Math.max(needed, minClusters) - clusters) * (examples / clusters);
  // A difference that varies so little failed for its few clusters alone.
  return rounded(Math.max(further, 1));
}

const z95 = 1.96;
const z80 = 0.84;

/** With fewer, no permutation test reaches 0.05; see `compare`. */
const minClusters = 6;

/** Up to two digits that count: it is an estimate. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
}

/** What is said in place of the bounds of an interval that there is not. */
export const noInterval = "(no interval: fewer than two independent groups of examples)";

/**
 * In how many clusters examples are, where that is not as many.
 *
 * @param meaning what a cluster is; empty where the reader has been told
 */
export function inClusters(
  clusters: number,
  examples: number,
  meaning = " (groups of related examples)",
): string {
  if (clusters === examples) return "";
  return ` in ${clusters} ${clusters === 1 ? "cluster" : "clusters"}${meaning}`;
}
