/**
 * One or several runs, results and artifacts side by side, as one plain JSON value: `compareRuns`
 * makes it, and terminal, page and studio read nothing else. Only `reportOnTest` asks LMs and
 * writes to run folders. Knows no terminal, no server and no browser: what reads the value
 * (`pair/`) runs in a browser as well as here.
 */
export type { CompareRunsOptions } from "./compare-runs.ts";
export { compareRuns, trainsetOf } from "./compare-runs.ts";
export type { ContrastOptions } from "./pair/contrast-of.ts";
export { contrastOf } from "./pair/contrast-of.ts";
export { headlineCaveat } from "./headline-text.ts";
export { flipsOf } from "./pair/flips-of.ts";
export { isUnchanged } from "./source-groups.ts";
export { mainContrast } from "./pair/main-contrast.ts";
export type { ScoredSources } from "./pair/side-scores.ts";
export { sideScores } from "./pair/side-scores.ts";
export type { ReplayOptions } from "./reading/replay-rollouts.ts";
export { replayRollouts, resultRollouts } from "./reading/replay-rollouts.ts";
export type { Evaluated, Moment, RunHistory } from "./reading/run-history.ts";
export { readRunHistory } from "./reading/run-history.ts";
export type { ArtifactGiven, ResultGiven, RunGiven, SourceGiven } from "./source/source-given.ts";
export type { ComparedCandidate, ComparedMeasure } from "./data/compared-candidate.ts";
export type {
  ComparedArtifact,
  ComparedResult,
  ComparedRun,
  ComparedSource,
  ComparedSpending,
  CurvePoint,
  SkippedProposal,
  TestFigure,
} from "./data/compared-source.ts";
export type {
  Contrast,
  FallenMetric,
  Headline,
  HeadlineCost,
  Side,
  SourceGroup,
  StratumDifference,
  SummaryOverSeeds,
} from "./data/contrast.ts";
export type { ReportOnTest, ReportOnTestOptions } from "./on-test/report-on-test.ts";
export type { EvaluatedFigure, TestReport } from "./on-test/test-report.ts";
export { reportOnTest } from "./on-test/report-on-test.ts";
export type { Flip } from "./pair/flips-of.ts";
export type { ReplayedRollout } from "./data/replayed-rollout.ts";
export type { ComparedExample, RunComparison, Stratification } from "./data/run-comparison.ts";
export type { ScoreColumn } from "./data/score-column.ts";
