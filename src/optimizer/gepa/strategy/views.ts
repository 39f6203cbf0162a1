import type { Component, RandomSource } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { StepNeed } from "../../contract/optimizer.ts";
import type { KnownLessons } from "../evidence/lessons.ts";
import type { Frontier } from "./frontier.ts";
import type { TextComponent } from "../../task/search-space.ts";

/**
 * The source of an iteration's random draws. A strategy decides only from this view and its own
 * arguments, so a resumed run makes the same decisions.
 */
export interface DrawView {
  /** Counted from 1. */
  readonly iteration: number;
  /** The generator for a named purpose in this iteration; `place` distinguishes several draws. */
  readonly random: (purpose: string, index?: number) => RandomSource;
}

/** What the choice of a parent is based on. */
export interface ParentView extends DrawView {
  /** All accepted candidates, by id. */
  readonly candidates: readonly CandidateRecord[];
  /**
   * The highest on val; ties go to the one scored on more examples, then to the earlier, unless the
   * later was accepted to supersede it.
   */
  readonly best: CandidateRecord;
  readonly frontier: Omit<Frontier, "add">;
}

/** What a child's evaluation on val would cost. */
export interface CostView {
  /** Components that may change, with a candidate's texts, in the program's order. */
  readonly componentsOf: (candidate: CandidateRecord) => readonly TextComponent[];
  /**
   * Maximum rollouts of a child's evaluation on val beyond the known ones, when only the components
   * to be changed are known: the val examples whose traces ran them.
   */
  readonly neededOnVal: (changed: readonly Component[]) => number;
}

/** What the choice of training examples is based on. */
export interface MinibatchView extends DrawView, CostView {
  /** All accepted candidates, by id. */
  readonly candidates: readonly CandidateRecord[];
  readonly train: readonly string[];
  readonly lessons: KnownLessons;
  /** Score from which an example has nothing more to teach; `null`: every example teaches. */
  readonly perfectScore: number | null;
  /** Index of the component that a candidate's next child changes. */
  readonly pointerOf: (candidate: number) => number;
  /** As in `OptimizerRun`. */
  readonly fits: (need: StepNeed) => boolean;
  /** As in `OptimizerRun`. */
  readonly rolloutsLeft: (reflectionCalls: number) => number;
  /** A generator that is the same in every iteration; `number` distinguishes several. */
  readonly randomOfRun: (purpose: string, number: number) => RandomSource;
}

/** What the proposals of an iteration are planned from: drawn parents, and examples for each. */
export type ProposalView = ParentView & MinibatchView;
