/**
 * Statistical inference shared by several parts: intervals, permutation tests, and tests that
 * remain valid when checked after every observation. Pure functions of numbers and an injected
 * random source.
 *
 * Recorded runs and scores depend on the order of sums and draws here: changing either changes
 * figures that users have. Knows nothing about examples, metrics, candidates or servers.
 */
export type { ChangedScore } from "./changed-scores.ts";
export { changedScores, withinScores } from "./changed-scores.ts";
export type { ClusterBootstrapOptions, ClusterStatistic, Interval } from "./cluster-bootstrap.ts";
export { clusterBootstrap } from "./cluster-bootstrap.ts";
export { mean, sum } from "./mean.ts";
export type { ClusterSums } from "./ratio-bootstrap.ts";
export { ratioBootstrap } from "./ratio-bootstrap.ts";
export type { SignFlipStatistic, SignFlipTestOptions } from "./sign-flip-test.ts";
export { signFlipTest } from "./sign-flip-test.ts";
export { sampleVariance, studentInterval, wilsonInterval } from "./student-interval.ts";
export type { TestMartingale } from "./test-martingale.ts";
export { testMartingale } from "./test-martingale.ts";
export type { TruncatedNormal } from "./truncated-normal.ts";
export { truncatedNormal } from "./truncated-normal.ts";
export type { Proportion } from "./student-interval.ts";
export type { Drift, Judged, Verdict, VerdictWords } from "./verdict.ts";
export { driftWords, inClusters, isTie, noInterval, nothingChanged } from "./verdict.ts";
export { shortVerdicts, verdictOf } from "./verdict.ts";
export { verdictSentence, verdictWords } from "./verdict.ts";
