import type { LanguageModel } from "../../../contract/index.ts";
import type { Budget } from "../../budget/index.ts";
import type { Proposer } from "../../proposal/proposer.ts";
import type { ScoreReuse } from "../evidence/rollout-memory.ts";
import type { FrontierKind } from "../strategy/frontier.ts";
import type { ProposalCheck } from "../../proposal/check/proposal-check.ts";
import type {
  ComponentSelection,
  MinibatchAcceptance,
  MinibatchSampling,
  ParentSelection,
  ProposalSampling,
  ProposalSelection,
  Stopper,
  ValAcceptance,
} from "../strategy/strategy.ts";

export interface GepaOptions {
  /** Optional here; the run can set it. */
  readonly budget?: Budget;
  /** @default 0 */
  readonly seed?: number;
  /**
   * Texts to evolve: kinds (`instruction`, `fieldDescription`, `toolDescription`) or single
   * components (`instruction:answer`). @default ["instruction"]
   */
  readonly components?: readonly string[];
  /** How texts are written and checked. */
  readonly reflection?: ReflectionOptions;
  /** What a proposal starts from and learns from. */
  readonly search?: SearchOptions;
  /** How a child proves to be better. */
  readonly acceptance?: AcceptanceOptions;
  /** What ends the run besides the budget. */
  readonly stop?: StopOptions;
}

export interface ReflectionOptions {
  /** @default the run's LM */
  readonly lm?: LanguageModel;
  /** @default reflectiveProposer() */
  readonly proposer?: Proposer;
  /**
   * Checks for proposed texts. Text from any proposer, including a custom one, is first stripped of
   * surrounding thinking and code fences; an empty list takes it as it is. @default defaultChecks()
   */
  readonly checks?: readonly ProposalCheck[];
  /** How often the proposer is given the reason for a rejection and asked again. @default 1 */
  readonly secondTries?: number;
}

export interface SearchOptions {
  /** @default bestOrParetoParent() */
  readonly parent?: ParentSelection;
  /** @default "instance" */
  readonly frontier?: FrontierKind;
  /** @default targetedLessons() */
  readonly minibatch?: MinibatchSampling;
  /**
   * Training examples that a proposal learns from. If `minibatch` is given, which has its own size,
   * this only affects `acceptance.gateAbove`, the plan, and the default of
   * `stop.maxIdleIterations`. @default 3
   */
  readonly minibatchSize?: number;
  /**
   * Examples of val, drawn at random once, that candidates are compared on; `null`: all. No effect
   * if the objective is not a mean over examples. @default as many as let the budget run 12
   * candidates on all of them, from 16 to 100
   */
  readonly valSample?: number | null;
  /** Chooses what to change if the minibatch has not. @default jointComponents() */
  readonly component?: ComponentSelection;
  /** @default sameParent() */
  readonly proposals?: ProposalSampling;
  /**
   * An example with a score this high teaches nothing; `null`: every example teaches. @default 1
   */
  readonly perfectScore?: number | null;
  /** When a known score may count for another candidate. @default "trace" */
  readonly scoreReuse?: ScoreReuse;
}

export interface AcceptanceOptions {
  /**
   * A child must first do better on its minibatch if val would take more than this many times its
   * examples. 0: always; `null`: never. @default 4
   */
  readonly gateAbove?: number | null;
  /** Judges a child by its minibatch. @default strictImprovement() */
  readonly minibatch?: MinibatchAcceptance;
  /** @default allPassed() */
  readonly selection?: ProposalSelection;
  /** Judges a child by val. @default neutralByTraining() */
  readonly val?: ValAcceptance;
}

export interface StopOptions {
  /** Stoppers in addition to the budget, or instead of it. @default none */
  readonly when?: readonly Stopper[];
  /**
   * Ends the run after this many iterations in a row that spend no metric call on a new text, since
   * no lesson is open or each text was refused. `null`: the default. @default two epochs of
   * `search.minibatchSize`, at least 30
   */
  readonly maxIdleIterations?: number | null;
  /**
   * Ends the run after this many proposer failures in a row, counted over all texts or over those
   * of one component. @default 5
   */
  readonly maxReflectionFailures?: number;
}
