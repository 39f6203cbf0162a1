import type { JsonObject, RandomSource } from "../../../contract/index.ts";
import type { CandidateRecord, RejectionReason } from "../../candidate/candidate-record.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { Spent } from "../../contract/optimizer.ts";
import type {
  ComponentCosts,
  MinibatchCosts,
  PlannedRun,
  ProposalSamplingCosts,
  ValAcceptanceCosts,
  ValidationCosts,
} from "./costs.ts";
import type { ReflectiveCase } from "../lesson/reflective-cases.ts";
import type { TextComponent } from "./text-component.ts";
import type { DrawView, MinibatchView, ParentView, ProposalView } from "./views.ts";

/**
 * What every strategy has: a name, and settings that change what it does, for the run's
 * description.
 */
export interface Strategy {
  readonly name: string;
  readonly settings?: JsonObject;
}

/** Draws the candidate that a proposal starts from; gives its id. */
export interface ParentSelection extends Strategy {
  readonly select: (view: ParentView, place: number) => number;
}

/**
 * Examples of train that a proposal learns from.
 *
 * - `run`: the parent is run on them, and they teach what it shows.
 * - `explore`: the parent is run on them, and the choice is made again.
 * - `known`: what they taught before teaches now; none is run. `components` are those to change.
 */
export type Minibatch =
  | { readonly kind: "run" | "explore"; readonly exampleIds: readonly string[] }
  | {
      readonly kind: "known";
      /** The first is what the proposal is about, the others show what is like it. */
      readonly exampleIds: readonly string[];
      readonly rollouts: readonly Rollout[];
      readonly components: readonly TextComponent[];
    };

/** Chooses the examples that a proposal learns from. */
export interface MinibatchSampling extends Strategy {
  /** `null`: nothing is left to learn for this parent. */
  readonly next: (view: MinibatchView, parent: CandidateRecord, place: number) => Minibatch | null;
  /** @default the parent is run on `search.minibatchSize` examples */
  readonly costs?: (run: PlannedRun) => MinibatchCosts;
}

/** One proposal to be made. */
export interface ProposalTask {
  readonly parent: number;
  readonly minibatch: Minibatch | null;
}

/** Decides how many proposals an iteration makes, from which parents and examples. */
export interface ProposalSampling extends Strategy {
  readonly sample: (
    view: ProposalView,
    parent: ParentSelection,
    minibatch: MinibatchSampling,
  ) => readonly ProposalTask[];
  /** @default any number of proposals */
  readonly costs?: (run: PlannedRun) => ProposalSamplingCosts;
}

export interface ComponentRequest {
  readonly parent: CandidateRecord;
  /** The parent's, on the minibatch. */
  readonly rollouts: readonly Rollout[];
  /** Components that may change, with the parent's texts, in the program's order. */
  readonly components: readonly TextComponent[];
  /** Place of the component whose turn it is. */
  readonly pointer: number;
  /** Whether reflection has something to show for a component. */
  readonly isInvoked: (component: TextComponent) => boolean;
}

/** Chooses what a proposal changes. */
export interface ComponentSelection extends Strategy {
  /** No component: the proposal is dropped. `pointer` is where the parent's next child goes on. */
  readonly select: (
    view: DrawView,
    request: ComponentRequest,
  ) => { readonly components: readonly TextComponent[]; readonly pointer: number };
  /** @default all components */
  readonly costs?: (run: PlannedRun) => ComponentCosts;
}

/** Scores of parent and child on the same examples, in the same order. */
export interface ScorePairs {
  readonly parent: readonly number[];
  readonly child: readonly number[];
  /** The objective over these examples, where that is no mean of scores. */
  readonly values?: { readonly parent: number; readonly child: number };
}

/** Decides from scores on the minibatch whether a child is worth an evaluation on val. */
export interface MinibatchAcceptance extends Strategy {
  readonly judge: (pairs: ScorePairs, random: () => RandomSource) => Verdict;
}

export type Verdict =
  | {
      readonly accepts: true;
      /** Whether it takes its parent's place although val holds the two for equal. */
      readonly supersedes?: boolean;
      /** Why, in a sentence. @default the gain */
      readonly reason?: string;
    }
  /** Why not, in a sentence. */
  | { readonly accepts: false; readonly reason: string };

/** Decides from scores on val whether a child becomes a candidate. */
export interface ValAcceptance extends Strategy {
  /**
   * `addressed` runs parent and child on the examples of train that the child was to do better on,
   * as far as their scores are not known; `null` when that does not fit the budget.
   */
  readonly judge: (
    onVal: ScorePairs,
    addressed: () => Promise<ScorePairs | null>,
  ) => Verdict | Promise<Verdict>;
  /** @default it may call `addressed` */
  readonly costs?: (run: PlannedRun) => ValAcceptanceCosts;
}

/** A child that passed on its minibatch. */
export interface PassedProposal {
  /** Gain of the sum over the minibatch. */
  readonly gain: number;
}

/** Chooses among the proposals of one iteration that passed; gives their places. */
export interface ProposalSelection extends Strategy {
  readonly select: (passed: readonly PassedProposal[]) => readonly number[];
}

/** Decides on which examples of val a child is run, and whether to go on. */
export interface ValidationPolicy extends Strategy {
  /** The ids in groups; groups are run one after the other, the examples of one side by side. */
  readonly order: (
    view: DrawView,
    exampleIds: readonly string[],
    place: number,
  ) => readonly (readonly string[])[];
  /**
   * Whether to stop, given the scores so far and the parent's on what is left; `null` goes on, else
   * the reason in a sentence. Asked before the first group, too, if something is known by then;
   * never where there is no perfect score, or where the objective is no mean of scores.
   */
  readonly stop?: (
    pairs: ScorePairs,
    parentLeft: readonly number[],
    perfectScore: number,
  ) => string | null;
  /** @default all of val; with `stop`, a single rollout */
  readonly costs?: (run: PlannedRun) => ValidationCosts;
}

/** Ends a run between two iterations; `null` goes on, else the reason in a few words. */
export interface Stopper extends Strategy {
  /**
   * Whether it looks at more than the search: time, money, files, signals. What it says is
   * recorded, so that a resumed run ends where it ended. @default false
   */
  readonly looksOutside?: boolean;
  /**
   * Whether it says so sooner or later, whatever the search finds: a run with such a stopper needs
   * no budget. @default false
   */
  readonly endsByItself?: boolean;
  readonly stop: (view: StopView) => string | null;
}

export interface StopView {
  /** Iterations begun so far. */
  readonly iterations: number;
  readonly candidates: readonly CandidateRecord[];
  /** As in `ParentView`. */
  readonly best: CandidateRecord;
  readonly spent: Spent;
  /**
   * Wall time in milliseconds over all processes of the run; 0 for a stopper that does not look
   * outside.
   */
  readonly elapsedMs: number;
  /** In US dollars; `null` without prices, and for a stopper that does not look outside. */
  readonly costUsd: number | null;
}

/** Why a text is refused before a rollout is spent on it; `null` when it is not. */
export interface ProposalCheck extends Strategy {
  readonly check: (text: string, given: Checked) => Objection | null;
}

/** What a proposed text is checked against. */
export interface Checked {
  /** The text that it is to replace. */
  readonly current: string;
  readonly isTried: boolean;
  /** What was shown to whoever wrote it. */
  readonly cases: readonly ReflectiveCase[];
  /** What the program says already: its other texts, and what its fields are for. */
  readonly known: readonly string[];
}

export interface Objection {
  readonly reason: RejectionReason;
  readonly detail: string;
}
