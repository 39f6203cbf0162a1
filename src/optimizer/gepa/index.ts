/**
 * Reflective prompt evolution: the loop and its strategies. Every strategy is a small function of
 * what the search shows it, and can be replaced by a custom one.
 */
export { strictImprovement } from "./acceptance/minibatch-acceptance.ts";
export { neutralByTraining } from "./acceptance/val-acceptance.ts";
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
export type {
  MergedChild,
  MergeHistory,
  MergeProposal,
  MergeView,
} from "./strategy/merge-proposal.ts";
export type { TargetedLessonsOptions } from "./minibatch/targeted-lessons.ts";
export { targetedLessons } from "./minibatch/targeted-lessons.ts";
export { bestOrParetoParent } from "./parent/best-or-pareto-parent.ts";
export { paretoParent } from "./parent/pareto-parent.ts";
export { customProposer } from "../proposal/custom-proposer.ts";
export { keepsPlaceholders } from "../proposal/check/keeps-placeholders.ts";
export { keepsProhibitions } from "../proposal/check/keeps-prohibitions.ts";
export type { NoCopiesOptions } from "../proposal/check/no-copies.ts";
export { noCopies } from "../proposal/check/no-copies.ts";
export {
  defaultChecks,
  noJson,
  noThinking,
  notCutOff,
  notEmpty,
  notLonger,
  notTried,
  notUnchanged,
} from "../proposal/check/proposal-checks.ts";
export type { ProposalRequest, ProposedText, Proposer } from "../proposal/proposer.ts";
export type { ReflectiveCase } from "../proposal/case/reflective-cases.ts";
export type { ReflectiveProposerOptions } from "../proposal/reflective-proposer.ts";
export { reflectiveProposer } from "../proposal/reflective-proposer.ts";
export type { AdaptiveWidthOptions } from "./sampling/adaptive-width.ts";
export { adaptiveWidth } from "./sampling/adaptive-width.ts";
export { sameParent } from "./sampling/proposal-sampling.ts";
export { allPassed } from "./selection/proposal-selection.ts";
export type { AcceptanceChance } from "./strategy/acceptance-chance.ts";
export type * from "./strategy/costs.ts";
export type { Front, Frontier, FrontierKind } from "./strategy/frontier.ts";
export type * from "../proposal/check/proposal-check.ts";
export type * from "./strategy/strategy.ts";
export type * from "./strategy/views.ts";
export { racingValidation } from "./validation/racing-validation.ts";
