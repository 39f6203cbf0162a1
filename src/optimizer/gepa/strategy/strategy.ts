import type { Component, RandomSource } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { Spent, StepNeed, Strategy } from "../../contract/optimizer.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { TextComponent } from "../../task/search-space.ts";
import type { KnownLessons } from "../evidence/lessons.ts";
import type { Frontier } from "./frontier.ts";

/**
 * What strategies see of a search. A strategy decides only from this view and its own arguments, so
 * a resumed run makes the same decisions.
 */
export interface SearchView {
  /** Counted from 1. */
  readonly iteration: number;
  /** All accepted candidates, by id. */
  readonly candidates: readonly CandidateRecord[];
  /**
   * The highest on val; ties go to the one scored on more examples, then to the earlier, unless the
   * later was accepted to supersede it.
   */
  readonly best: CandidateRecord;
  readonly frontier: Omit<Frontier, "add">;
  readonly train: readonly string[];
  readonly lessons: KnownLessons;
  /** Score from which an example has nothing more to teach; `null`: every example teaches. */
  readonly perfectScore: number | null;
  /** Index of the component that a candidate's next child changes. */
  readonly pointerOf: (candidate: number) => number;
  /** Components that may change, with a candidate's texts, in the program's order. */
  readonly componentsOf: (candidate: CandidateRecord) => readonly TextComponent[];
  /**
   * Maximum rollouts of a child's evaluation on val beyond the known ones, when only the components
   * to be changed are known: the val examples whose traces ran them.
   */
  readonly neededOnVal: (changed: readonly Component[]) => number;
  /** As in `OptimizerRun`. */
  readonly fits: (need: StepNeed) => boolean;
  /** As in `OptimizerRun`. */
  readonly rolloutsLeft: (reflectionCalls: number) => number;
  /** The generator for a named purpose in this iteration; `index` distinguishes several draws. */
  readonly random: (purpose: string, index?: number) => RandomSource;
  /** A generator that is the same in every iteration; `number` distinguishes several. */
  readonly randomOfRun: (purpose: string, number: number) => RandomSource;
}

/** Draws the candidate that a proposal starts from; returns its id. */
export interface ParentSelection extends Strategy {
  readonly select: (view: SearchView, index: number) => number;
}

/**
 * Training examples that a proposal learns from.
 *
 * - `run`: the parent is run on them, and its rollouts teach.
 * - `explore`: the parent is run on them, and the choice is repeated.
 * - `known`: what they taught before teaches now; none is run. `components` are those to change.
 */
export type Minibatch =
  | { readonly kind: "run" | "explore"; readonly exampleIds: readonly string[] }
  | {
      readonly kind: "known";
      /** The proposal addresses the first example; the others show similar cases. */
      readonly exampleIds: readonly string[];
      readonly rollouts: readonly Rollout[];
      readonly components: readonly TextComponent[];
    };

/** Chooses the examples that a proposal learns from. */
export interface MinibatchSampling extends Strategy {
  /** `null`: nothing is left to learn for this parent. */
  readonly next: (view: SearchView, parent: CandidateRecord, index: number) => Minibatch | null;
  /**
   * For the plan: metric calls that look for lessons before the first proposal, of those `left`
   * after the seed's evaluation. @default 0
   */
  readonly exploration?: (left: number) => number;
}

/** One proposal to be made. */
export interface ProposalTask {
  readonly parent: number;
  readonly minibatch: Minibatch | null;
}

/** Decides how many proposals an iteration makes, from which parents and examples. */
export interface ProposalSampling extends Strategy {
  readonly sample: (
    view: SearchView,
    parent: ParentSelection,
    minibatch: MinibatchSampling,
  ) => readonly ProposalTask[];
}

export interface ComponentRequest {
  readonly parent: CandidateRecord;
  /** The parent's rollouts on the minibatch. */
  readonly rollouts: readonly Rollout[];
  /** Components that may change, with the parent's texts, in the program's order. */
  readonly components: readonly TextComponent[];
  /** Index of the component whose turn it is. */
  readonly pointer: number;
  /** Whether reflection has anything to show for a component. */
  readonly isInvoked: (component: TextComponent) => boolean;
}

/** Chooses what a proposal changes. */
export interface ComponentSelection extends Strategy {
  /**
   * Without components, the proposal is dropped. `pointer` is where the parent's next child
   * continues.
   */
  readonly select: (
    view: SearchView,
    request: ComponentRequest,
  ) => { readonly components: readonly TextComponent[]; readonly pointer: number };
  /** For the plan: how many texts a proposal changes. @default all components */
  readonly maxTexts?: number;
}

/** Scores of parent and child on the same examples, in the same order. */
export interface ScorePairs {
  readonly parent: readonly number[];
  readonly child: readonly number[];
  /** The objective over these examples, if it is not a mean of scores. */
  readonly values?: { readonly parent: number; readonly child: number };
}

/** Decides from scores on the minibatch whether a child is worth an evaluation on val. */
export interface MinibatchAcceptance extends Strategy {
  readonly judge: (pairs: ScorePairs) => Verdict;
}

export type Verdict =
  | {
      readonly accepts: true;
      /** Whether it takes its parent's place even though the two tie on val. */
      readonly supersedes?: boolean;
      /** The reason, as a sentence. @default the gain */
      readonly reason?: string;
    }
  /** The reason for the rejection, as a sentence. */
  | { readonly accepts: false; readonly reason: string };

/** Decides from scores on val whether a child becomes a candidate. */
export interface ValAcceptance extends Strategy {
  /**
   * `addressed` runs parent and child on the training examples on which the child was to improve,
   * where their scores are unknown; `null` if that does not fit the budget.
   */
  readonly judge: (
    onVal: ScorePairs,
    addressed: () => Promise<ScorePairs | null>,
  ) => Verdict | Promise<Verdict>;
}

/** A child that passed on its minibatch. */
export interface PassedProposal {
  /** Gain of the sum over the minibatch. */
  readonly gain: number;
}

/** Chooses among the proposals of one iteration that passed; returns their indexes. */
export interface ProposalSelection extends Strategy {
  readonly select: (passed: readonly PassedProposal[]) => readonly number[];
}

/**
 * Ends a run between two iterations; `null` continues, a string is the reason in a few words. It
 * decides from its view alone, so that a resumed run ends where it ended.
 */
export interface Stopper extends Strategy {
  /**
   * Whether it ends the run sooner or later, whatever the search finds: a run with such a stopper
   * needs no budget. @default false
   */
  readonly endsByItself?: boolean;
  readonly stop: (view: StopView) => string | null;
}

export interface StopView {
  /** Iterations begun so far. */
  readonly iterations: number;
  readonly candidates: readonly CandidateRecord[];
  /** As in `SearchView`. */
  readonly best: CandidateRecord;
  readonly spent: Spent;
}
