import type { RandomSource } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { Spent, Strategy } from "../../contract/optimizer.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { DrawView, MinibatchView, ParentView, ProposalView } from "./views.ts";
import type { TextComponent } from "../../task/search-space.ts";

/** Draws the candidate that a proposal starts from; returns its id. */
export interface ParentSelection extends Strategy {
  readonly select: (view: ParentView, index: number) => number;
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

/** Forgets which lessons failed, everywhere. */
export interface Forgiveness {
  readonly kind: "forgive";
  /** The choice after that, from `view.lessons.forgiven()`. */
  readonly minibatch: Minibatch | null;
}

/** Chooses the examples that a proposal learns from. */
export interface MinibatchSampling extends Strategy {
  /** `null`: nothing is left to learn for this parent. */
  readonly next: (
    view: MinibatchView,
    parent: CandidateRecord,
    index: number,
  ) => Minibatch | Forgiveness | null;
  /** @default the parent is run on `search.minibatchSize` examples */
  readonly costs?: (run: PlannedRun) => MinibatchCosts;
}

/** One proposal to be made. */
export interface ProposalTask {
  readonly parent: number;
  readonly minibatch: Minibatch | null;
}

/** The run's `MinibatchSampling`, whose forgiveness the search has carried out. */
export interface MinibatchChoice {
  readonly next: (view: MinibatchView, parent: CandidateRecord, index: number) => Minibatch | null;
}

/** Decides how many proposals an iteration makes, from which parents and examples. */
export interface ProposalSampling extends Strategy {
  readonly sample: (
    view: ProposalView,
    parent: ParentSelection,
    minibatch: MinibatchChoice,
  ) => readonly ProposalTask[];
  /** @default any number of proposals */
  readonly costs?: (run: PlannedRun) => ProposalSamplingCosts;
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
  /** The objective over these examples, if it is not a mean of scores. */
  readonly values?: { readonly parent: number; readonly child: number };
}

/** Decides from scores on the minibatch whether a child is worth an evaluation on val. */
export interface MinibatchAcceptance extends Strategy {
  readonly judge: (pairs: ScorePairs, random: () => RandomSource) => Verdict;
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
  /** @default it may call `addressed` */
  readonly costs?: (run: PlannedRun) => ValAcceptanceCosts;
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
  /** As in `ParentView`. */
  readonly best: CandidateRecord;
  readonly spent: Spent;
}

/** What a strategy knows about a run when it is planned. */
export interface PlannedRun {
  /** Number of examples in train and in val. */
  readonly train: number;
  readonly val: number;
  /** Number of components that may change. */
  readonly components: number;
  /** Option `search.minibatchSize`. */
  readonly minibatchSize: number;
}

/** Metric calls: an upper bound, a typical value and a lower bound. */
export interface Amounts {
  readonly least: number;
  readonly typical: number;
  readonly most: number;
}

export interface MinibatchCosts {
  /** Maximum training examples that a proposal is run on. */
  readonly examples: number;
  /**
   * For a strategy that learns from known rollouts and runs examples only to find lessons: the runs
   * before the first proposal, given the metric calls `left` after the seed's evaluation. Absent:
   * the parent is run on the examples of each proposal.
   */
  readonly exploration?: (left: number) => Amounts;
}

export interface ProposalSamplingCosts {
  /** Maximum proposals per iteration. */
  readonly proposals: number;
}

export interface ComponentCosts {
  /** Maximum texts that one proposal changes. */
  readonly texts: number;
}

export interface ValAcceptanceCosts {
  /** Whether it may run parent and child on the training example that the child addresses. */
  readonly asksTrain: boolean;
}
