import type { CandidateRecord, Rejection } from "../../candidate/candidate-record.ts";
import type { ActingEstimate } from "../lesson/acting-estimate.ts";
import { unknownActing } from "../lesson/acting-estimate.ts";
import type { ChildOutcomes } from "../settings/must-pass-minibatch.ts";
import { noOutcomes } from "../settings/must-pass-minibatch.ts";
import type { AcceptanceChance } from "../strategy/acceptance-chance.ts";
import { unknownAcceptance } from "../strategy/acceptance-chance.ts";
import type { MergeHistory } from "../strategy/merge-proposal.ts";
import { noMerges } from "../strategy/merge-proposal.ts";
import type { Frontier, FrontierKind } from "../strategy/frontier.ts";
import { frontier } from "../strategy/frontier.ts";
import type { Panel } from "../strategy/panel.ts";
import type { TriedTexts } from "./tried-texts.ts";
import { triedTexts } from "./tried-texts.ts";

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
    merges: noMerges,
    idle: 0,
    failures: new Map(),
    acting: unknownActing,
    outcomes: noOutcomes,
    acceptance: unknownAcceptance,
    isReuseOver: false,
    accepted: [],
  };
}
