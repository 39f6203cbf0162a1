/**
 * Reflective prompt evolution: the loop and its strategies. Every strategy is a small function of
 * what the search shows it, and can be replaced by a custom one.
 */
export { improvementOrEqual, strictImprovement } from "./acceptance/minibatch-acceptance.ts";
export { statisticalImprovement } from "./acceptance/statistical-improvement.ts";
export { anyOnVal } from "./reference/any-on-val.ts";
export { improvementOnVal, neutralByTraining } from "./acceptance/val-acceptance.ts";
export { allComponents } from "./component/all-components.ts";
export { jointComponents } from "./component/joint-components.ts";
export { roundRobin } from "./component/round-robin.ts";
export { gepa } from "./gepa.ts";
export type {
  AcceptanceOptions,
  GepaOptions,
  ReflectionOptions,
  SearchOptions,
  StopOptions,
} from "./settings/gepa-options.ts";
export type { KnownLessons, Lesson, Lessons } from "./lesson/lessons.ts";
export type { ScoreReuse } from "./score-reuse/reuse-modes.ts";
export type { CommonAncestorMergeOptions } from "./reference/common-ancestor-merge.ts";
export { commonAncestorMerge } from "./reference/common-ancestor-merge.ts";
export type {
  MergedChild,
  MergeHistory,
  MergeProposal,
  MergeView,
} from "./strategy/merge-proposal.ts";
export { epochMinibatches } from "./reference/epoch-minibatches.ts";
export type { TargetedLessonsOptions } from "./minibatch/targeted-lessons.ts";
export { targetedLessons } from "./minibatch/targeted-lessons.ts";
export { bestOrParetoParent } from "./parent/best-or-pareto-parent.ts";
export { bestParent } from "./parent/best-parent.ts";
export { epsilonGreedyParent } from "./parent/epsilon-greedy-parent.ts";
export { paretoParent } from "./parent/pareto-parent.ts";
export { topKParetoParent } from "./parent/top-k-pareto-parent.ts";
export { customProposer } from "./proposal/custom-proposer.ts";
export { keepsPlaceholders } from "./proposal/keeps-placeholders.ts";
export { keepsProhibitions } from "./proposal/keeps-prohibitions.ts";
export type { NoCopiesOptions } from "./proposal/no-copies.ts";
export { noCopies } from "./proposal/no-copies.ts";
export {
  defaultChecks,
  noJson,
  noThinking,
  notCutOff,
  notEmpty,
  notLonger,
  notTried,
  notUnchanged,
} from "./proposal/proposal-checks.ts";
export type { ProposalRequest, ProposedText, Proposer } from "./proposal/proposer.ts";
export type { ReflectiveCase } from "./lesson/reflective-cases.ts";
export type { ReflectiveProposerOptions } from "./proposal/reflective-proposer.ts";
export { reflectiveProposer } from "./proposal/reflective-proposer.ts";
export type { AdaptiveWidthOptions } from "./sampling/adaptive-width.ts";
export { adaptiveWidth } from "./sampling/adaptive-width.ts";
export { independent, parentsTimesProposals, sameParent } from "./sampling/proposal-sampling.ts";
export { allPassed, bestPassed, topKPassed } from "./selection/proposal-selection.ts";
export { allOf, anyOf } from "./stop/combined-stoppers.ts";
export { costReached } from "./stop/cost-reached.ts";
export { lmCallsReached, metricCallsReached, tokensReached } from "./stop/count-stoppers.ts";
export { fileExists } from "./stop/file-exists.ts";
export { noImprovement } from "./stop/no-improvement.ts";
export { scoreReached } from "./stop/score-reached.ts";
export { stopSignal } from "./stop/stop-signal.ts";
export { wallTimePassed } from "./stop/wall-time-passed.ts";
export type { AcceptanceChance } from "./strategy/acceptance-chance.ts";
export type * from "./strategy/costs.ts";
export type { Front, Frontier, FrontierKind } from "./strategy/frontier.ts";
export type * from "./strategy/proposal-check.ts";
export type * from "./strategy/strategy.ts";
export type * from "./strategy/views.ts";
export { fullValidation } from "./reference/full-validation.ts";
export { racingValidation } from "./validation/racing-validation.ts";
