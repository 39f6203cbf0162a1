/**
 * Reflective prompt evolution: the loop and its strategies. Every strategy is a small function of
 * what the search shows it, and can be replaced by a custom one.
 */
export { strictImprovement, neutralByTraining, allPassed } from "./strategy/acceptance.ts";
export { jointComponents, roundRobin } from "./strategy/components.ts";
export { gepa } from "./gepa.ts";
export type {
  AcceptanceOptions,
  GepaOptions,
  ReflectionOptions,
  SearchOptions,
  StopOptions,
} from "./settings/gepa-options.ts";
export type { KnownLessons, Lesson, Lessons } from "./evidence/lessons.ts";
export type { ScoreReuse } from "./evidence/rollout-memory.ts";
export type { TargetedLessonsOptions } from "./strategy/targeted-lessons.ts";
export { targetedLessons } from "./strategy/targeted-lessons.ts";
export { bestOrParetoParent, paretoParent } from "./strategy/parents.ts";
export { customProposer } from "../proposal/proposer.ts";
export {
  keepsPlaceholders,
  defaultChecks,
  noJson,
  noThinking,
  notCutOff,
  notEmpty,
  notLonger,
  notTried,
  notUnchanged,
} from "../proposal/check/proposal-checks.ts";
export { keepsProhibitions } from "../proposal/check/keeps-prohibitions.ts";
export { noCopies } from "../proposal/check/no-copies.ts";
export type { ProposalRequest, ProposedText, Proposer } from "../proposal/proposer.ts";
export type { ReflectiveCase } from "../proposal/case/reflective-cases.ts";
export type { ReflectiveProposerOptions } from "../proposal/reflective-proposer.ts";
export { reflectiveProposer } from "../proposal/reflective-proposer.ts";
export { sameParent } from "./strategy/parents.ts";
export type * from "./strategy/strategy.ts";
export type { Front, Frontier, FrontierKind } from "./strategy/frontier.ts";
export type * from "../proposal/check/proposal-check.ts";
