/**
 * What one or several runs, results and artifacts say beside each other, as one plain JSON value:
 * `compareRuns` makes it, and terminal, page and studio read nothing else. Reads run folders and
 * never writes to them; asks no LM. Knows no terminal, no server and no browser: what reads the
 * value (`pairs/`) runs in a browser as well as here.
 */
export type { ComparedCandidate, ComparedMeasure, ReflectionCase } from "./compared-candidate.ts";
export type {
  ComparedArtifact,
  ComparedResult,
  ComparedRun,
  ComparedSource,
  ComparedSpending,
  CurvePoint,
  RefusedText,
  SkippedProposal,
  TestFigure,
} from "./compared-source.ts";
export type {
  Contrast,
  Headline,
  Side,
  SourceGroup,
  StratumDifference,
  SummaryOverSeeds,
} from "./contrast.ts";
export type { Flip } from "./flip.ts";
export type { ReplayedRollout } from "./replayed-rollout.ts";
export type { ComparedExample, RunComparison, Stratification } from "./run-comparison.ts";
export type { ScoreColumn } from "./score-column.ts";
