/**
 * Strategies that espalier does not ship: those of gepa 0.1.4, for the conformance with its traces,
 * and a plain one to compare with in benches.
 */
export { allComponents } from "./all-components.ts";
export { anyOnVal } from "./any-on-val.ts";
export { bestParent } from "./best-parent.ts";
export { bestPassed } from "./best-passed.ts";
export { epochMinibatches } from "./epoch-minibatches.ts";
export { epsilonGreedyParent } from "./epsilon-greedy-parent.ts";
export { improvementOnVal } from "./improvement-on-val.ts";
export type { CommonAncestorMergeOptions } from "./merge/common-ancestor-merge.ts";
export { commonAncestorMerge } from "./merge/common-ancestor-merge.ts";
export type {
  MergedChild,
  MergeHistory,
  MergeProposal,
  MergeView,
} from "./merge/merge-proposal.ts";
export { noMerges } from "./merge/merge-proposal.ts";
export { mergeStage } from "./merge/merge-stage.ts";
export { metricCallsReached } from "./metric-calls-reached.ts";
export { independent, parentsTimesProposals } from "./proposal-sampling.ts";
export { strictRoundRobin } from "./strict-round-robin.ts";
export { topKParetoParent } from "./top-k-pareto-parent.ts";
