/**
 * Inference that more than one part needs: intervals, permutation tests, and tests that may be
 * looked at after every observation. Pure functions of numbers and of a random source that is
 * handed in.
 *
 * Recorded runs and scores rest on the order of sums and of draws in here: a change of either
 * changes figures that users have. Knows nothing of examples, metrics, candidates or servers.
 */
export type { ClusterBootstrapOptions, ClusterStatistic, Interval } from "./cluster-bootstrap.ts";
export { clusterBootstrap } from "./cluster-bootstrap.ts";
export { mean, sum } from "./mean.ts";
export type { SignFlipStatistic, SignFlipTestOptions } from "./sign-flip-test.ts";
export { signFlipTest } from "./sign-flip-test.ts";
export type { TestMartingale } from "./test-martingale.ts";
export { testMartingale } from "./test-martingale.ts";
export type { Proportion } from "./wilson-interval.ts";
export { wilsonInterval } from "./wilson-interval.ts";
