import type { Candidate, Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord, Rejection } from "../../candidate/candidate-record.ts";
import { componentNames, componentText } from "../../candidate/components.ts";
import type { ChildOutcomes } from "../settings/must-pass-minibatch.ts";
import { noOutcomes } from "../settings/must-pass-minibatch.ts";
import type { ActingEstimate } from "./acting-estimate.ts";
import { unknownActing } from "./acting-estimate.ts";
import type { Frontier, FrontierKind } from "../strategy/frontier.ts";
import { frontier } from "../strategy/frontier.ts";
import type { MergeHistory } from "../strategy/merge-proposal.ts";
import { noMerges } from "../strategy/merge-proposal.ts";
import type { AcceptanceChance } from "../strategy/acceptance-chance.ts";
import { unknownAcceptance } from "../strategy/acceptance-chance.ts";
import type { Panel } from "../strategy/strategy.ts";
import type { RefusedText } from "../../proposal/proposer.ts";
import { plainText } from "../../proposal/text/plain-text.ts";

/**
 * The state of a search: immutable records and a few values, written only by `advance`. Two indexes
 * of them grow in place, since copying them would cost more than an iteration; only `advance` adds
 * to them.
 */
export interface SearchState {
  /** Iterations begun. */
  readonly iteration: number;
  /** All accepted candidates, by id. */
  readonly candidates: readonly CandidateRecord[];
  /** `undefined` before the seed was evaluated. */
  readonly best: CandidateRecord | undefined;
  /** Ids of the candidates that supersede their parent although they only match it. */
  readonly superseding: ReadonlySet<number>;
  readonly frontier: Frontier;
  /** The val examples that candidates are compared on. */
  readonly panel: Panel;
  readonly rejections: readonly Rejection[];
  /** By candidate id: index of the component that its next child changes. */
  readonly pointers: readonly number[];
  readonly tried: TriedTexts;
  readonly trials: readonly Trial[];
  readonly merges: MergeHistory;
  /** Iterations in a row that spent no metric call on a new text. */
  readonly idle: number;
  /** Consecutive failures of the proposer: of `all` texts, and of a component's under its id. */
  readonly failures: ReadonlyMap<string, number>;
  /** How many of the lessons shown the reflection LM acts on. */
  readonly acting: ActingEstimate;
  /** How the children written so far fared. */
  readonly outcomes: ChildOutcomes;
  /** How likely the next proposal is to be accepted. */
  readonly acceptance: AcceptanceChance;
  /** Whether score reuse was found wrong and the best candidate confirmed since, if it could be. */
  readonly isReuseOver: boolean;
  /** Ids of the candidates that this iteration has added. */
  readonly accepted: readonly number[];
  /** Whether the budget allows no further attempt. */
  readonly isOverBudget: boolean;
}

/** A search as it goes on. */
export interface Search {
  /** The state after all decisions so far. */
  readonly state: SearchState;
}

export function startState(kind: FrontierKind): SearchState {
  return {
    iteration: 0,
    candidates: [],
    best: undefined,
    superseding: new Set(),
    frontier: frontier(kind),
    panel: { exampleIds: [] },
    rejections: [],
    pointers: [],
    tried: triedTexts(),
    trials: [],
    merges: noMerges,
    idle: 0,
    failures: new Map(),
    acting: unknownActing,
    outcomes: noOutcomes,
    acceptance: unknownAcceptance,
    isReuseOver: false,
    accepted: [],
    isOverBudget: false,
  };
}

/** A text that was no better than its parent's, with nothing else changed. */
export interface Trial {
  /** Id of the parent. */
  readonly parent: number;
  /** Id of the component. */
  readonly component: string;
  readonly refused: RefusedText;
}

/** Texts of components that need no further trial. They ignore whitespace. */
interface TriedTexts {
  has(component: Component, text: string): boolean;
  /** Whether it needs none beside the other texts of this candidate. */
  hasBeside(component: Component, text: string, candidate: Candidate): boolean;
  /**
   * Adds a trial of this candidate's text. A text has been tried after a trial that decides, such
   * as on val with nothing else changed, or after three others: a few examples, or a change beside
   * it, may have hidden what it is worth.
   */
  add(component: Component, candidate: Candidate, isDecided: boolean): void;
}

/** Trials that do not decide, after which a text has been tried all the same. */
const maxTrials = 3;

interface Trials {
  count: number;
  readonly beside: Map<string, number>;
}

export function triedTexts(): TriedTexts {
  const trials = new Map<string, Map<string, Trials>>();
  const nameOf = componentNames();
  /** The other components of a candidate. */
  const besideOf = (component: Component, candidate: Candidate): string => {
    const id = componentId(component);
    return candidate
      .filter((one) => componentId(one) !== id)
      .map(nameOf)
      .join(",");
  };
  const of = (component: Component, text: string): Trials | undefined =>
    trials.get(componentId(component))?.get(plainText(text));
  return {
    has: (component, text) => (of(component, text)?.count ?? 0) >= maxTrials,
    hasBeside: (component, text, candidate) =>
      (of(component, text)?.beside.get(besideOf(component, candidate)) ?? 0) >= maxTrials,
    add: (component, candidate, isDecided) => {
      const id = componentId(component);
      const ofComponent = trials.get(id) ?? new Map<string, Trials>();
      trials.set(id, ofComponent);
      const text = plainText(componentText(component));
      const known = ofComponent.get(text) ?? { count: 0, beside: new Map<string, number>() };
      ofComponent.set(text, known);
      const beside = besideOf(component, candidate);
      const weight = isDecided ? maxTrials : 1;
      known.count += weight;
      known.beside.set(beside, (known.beside.get(beside) ?? 0) + weight);
    },
  };
}
