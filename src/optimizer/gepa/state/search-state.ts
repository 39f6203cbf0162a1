import type { Component } from "../../../contract/index.ts";
import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord, Rejection } from "../../candidate/candidate-record.ts";
import { componentText } from "../../candidate/components.ts";
import type { Frontier, FrontierKind } from "../strategy/frontier.ts";
import { frontier } from "../strategy/frontier.ts";
import type { MergeHistory } from "../strategy/merge-proposal.ts";
import { noMerges } from "../strategy/merge-proposal.ts";
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
  readonly rejections: readonly Rejection[];
  /** By candidate id: index of the component that its next child changes. */
  readonly pointers: readonly number[];
  readonly tried: TriedTexts;
  readonly merges: MergeHistory;
  /** Iterations in a row that spent no metric call on a new text. */
  readonly idle: number;
  /** Consecutive failures of the proposer: of `all` texts, and of a component's under its id. */
  readonly failures: ReadonlyMap<string, number>;
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
    rejections: [],
    pointers: [],
    tried: triedTexts(),
    merges: noMerges,
    idle: 0,
    failures: new Map(),
    isReuseOver: false,
    accepted: [],
    isOverBudget: false,
  };
}

/** Texts of components that need no further trial. They ignore whitespace. */
interface TriedTexts {
  has(component: Component, text: string): boolean;
  /**
   * Adds a trial of a component's text. A text has been tried after a trial that decides, such as
   * on val with nothing else changed, or after three others: a few examples, or a change beside it,
   * may have hidden what it is worth.
   */
  add(component: Component, isDecided: boolean): void;
}

/** Trials that do not decide, after which a text has been tried all the same. */
const maxTrials = 3;

export function triedTexts(): TriedTexts {
  const trials = new Map<string, number>();
  const keyOf = (component: Component, text: string): string =>
    `${componentId(component)}\n${plainText(text)}`;
  return {
    has: (component, text) => (trials.get(keyOf(component, text)) ?? 0) >= maxTrials,
    add: (component, isDecided) => {
      const key = keyOf(component, componentText(component));
      trials.set(key, (trials.get(key) ?? 0) + (isDecided ? maxTrials : 1));
    },
  };
}
