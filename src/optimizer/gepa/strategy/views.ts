import type { Component, RandomSource } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { KnownLessons } from "../lesson/lessons.ts";
import type { Frontier } from "./frontier.ts";
import type { TextComponent } from "./text-component.ts";

/**
 * Where random draws of an iteration come from. A strategy decides from what it is shown and from
 * its own arguments alone, so that a resumed run decides alike.
 */
export interface DrawView {
  /** Counted from 1. */
  readonly iteration: number;
  /** The generator of this iteration's draws for a named purpose; `place` tells several apart. */
  readonly random: (purpose: string, place?: number) => RandomSource;
}

/** What a parent is drawn by. */
export interface ParentView extends DrawView {
  /** All that were accepted, by id. */
  readonly candidates: readonly CandidateRecord[];
  /**
   * Highest on val; of equal ones the one scored on more examples, then the earlier, unless it was
   * accepted to supersede that one.
   */
  readonly best: CandidateRecord;
  readonly frontier: Omit<Frontier, "add">;
}

/** What a child's evaluation on val would cost. */
export interface CostView {
  /** Components that may change, with a candidate's texts, in the program's order. */
  readonly componentsOf: (candidate: CandidateRecord) => readonly TextComponent[];
  /**
   * Rollouts that the evaluation on val of a child takes beyond what is known, where no more is
   * known of it than the components that will differ: those of val whose traces ran them.
   */
  readonly mostMissingOnVal: (parent: CandidateRecord, changed: readonly Component[]) => number;
}

/** What examples of train are chosen by. */
export interface MinibatchView extends DrawView, CostView {
  /** All that were accepted, by id. */
  readonly candidates: readonly CandidateRecord[];
  readonly train: readonly string[];
  readonly lessons: KnownLessons;
  /** Score above which an example has nothing more to teach; `null`: none has. */
  readonly perfectScore: number | null;
  /** Place of the component that a candidate's next child changes. */
  readonly pointerOf: (candidate: number) => number;
  /** Whether so many rollouts and texts fit the budget. */
  readonly fits: (metricCalls: number, reflections: number) => boolean;
  /** A generator that is the same in every iteration; `number` tells several apart. */
  readonly randomOfRun: (purpose: string, number: number) => RandomSource;
}

/** What an iteration's proposals are planned by: parents are drawn, and examples for each. */
export type ProposalView = ParentView & MinibatchView;
