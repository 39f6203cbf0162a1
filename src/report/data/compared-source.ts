import type { Component, JsonObject, LmRole, SplitName } from "../../contract/index.ts";
import type { Comparison } from "../../evaluate/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import type {
  ChosenSearch,
  MetDispute,
  Rejection,
  Spent,
  StopReason,
} from "../../optimizer/index.ts";
import type { Mock } from "../../mock/index.ts";
import type { Drift, Interval } from "../../statistics/index.ts";
import type { ComparedCandidate } from "./compared-candidate.ts";

/** One thing that is compared: a run's folder, a result of `eval`, or an artifact. */
export type ComparedSource = ComparedRun | ComparedResult | ComparedArtifact;

interface SourceBase {
  /**
   * Identifies it in the comparison and in addresses: the last part of its path, made of letters,
   * digits, `.`, `_` and `-`, with a number behind if two would be alike.
   */
  readonly key: string;
  /** The path as it was given. */
  readonly path: string;
  /** Names and versions, as far as the source tells. */
  readonly subject: {
    readonly program?: Named;
    readonly trainset?: { readonly name: string; readonly checksum?: string };
    readonly objective?: Named;
    /** Model name of the LM that the program asks. */
    readonly lm?: string;
  };
  /** Parts that a mock played; figures obtained with one must say so. */
  readonly mocks: readonly Mock[];
  /** Whether the rehearsal LM was among them: such figures say nothing about a real model. */
  readonly isRehearsal: boolean;
  /** Every component that a candidate has, each once; candidates refer to places here. */
  readonly components: readonly Component[];
  /** By id, without gaps: a run's accepted candidates, the seed first; otherwise one. */
  readonly candidates: readonly ComparedCandidate[];
  /** Id of the best; `null` before a run evaluated its seed. */
  readonly best: number | null;
}

interface Named {
  readonly name: string;
  readonly version: string;
}

/** A run's folder, whether or not the run has ended. */
export interface ComparedRun extends SourceBase {
  readonly kind: "run";
  readonly optimizer: Named;
  readonly seed: number;
  /** Caps as given: `metricCalls`, `tokens`, ... */
  readonly budget: JsonObject;
  /** Everything that the trajectory depends on, as the journal's head holds it. */
  readonly description: JsonObject;
  /** Absent while the run has not ended. */
  readonly end?: { readonly reason: StopReason; readonly detail?: string };
  readonly iterations: number;
  readonly searches: readonly ChosenSearch[];
  /** Ids of the candidates that no other one beats in all measures. */
  readonly front: readonly number[];
  /** The score by metric calls, in the order of the journal. */
  readonly curve: readonly CurvePoint[];
  readonly refused: readonly Rejection[];
  readonly skipped: readonly SkippedProposal[];
  readonly disputes: readonly MetDispute[];
  readonly spending: ComparedSpending;
  /** Figures on test, which the search never saw, of each candidate that was reported on. */
  readonly test: readonly TestFigure[];
}

/** A file of `espalier eval --out`. */
export interface ComparedResult extends SourceBase {
  readonly kind: "result";
  readonly split: SplitName;
  readonly study: string;
  readonly seed: number;
  readonly spending: ComparedSpending;
}

/** A compiled program: figures and lineage, without scores of single examples. */
export interface ComparedArtifact extends SourceBase {
  readonly kind: "artifact";
  readonly hash: string;
  readonly optimizer?: { readonly name: string; readonly seed: number };
  /** Ids of candidates of the run that made it, with parents and values on val. */
  readonly lineage: readonly {
    readonly id: string;
    readonly parents: readonly string[];
    readonly val?: number;
    /** Examples that `val` rests on, if it is an estimate. */
    readonly seen?: number;
  }[];
  readonly test: readonly TestFigure[];
  /** Aliases of the registry that point to it, such as `production`; empty outside of one. */
  readonly aliases: readonly string[];
}

/** One evaluation, at the metric calls that the run had spent by its end. */
export interface CurvePoint {
  readonly metricCalls: number;
  readonly iteration: number;
  readonly split: SplitName;
  /** `null`: a proposal that was refused later. */
  readonly candidate: number | null;
  /** The objective over the examples that were scored; `null` when none was. */
  readonly value: number | null;
  /** Number of examples, and of those whose scores were reused. */
  readonly examples: number;
  readonly reused: number;
}

/** An iteration without a request to the reflection LM. */
export interface SkippedProposal {
  readonly iteration: number;
  readonly parent: number;
  readonly reason: "all-perfect" | "not-invoked" | "low-coverage" | "nothing-left";
}

/** What a source cost. */
export interface ComparedSpending {
  /** Logical: as if nothing were cached. Absent from sources that do not count metric calls. */
  readonly spent?: Spent;
  /** Logical usage by role; of a run that has not ended, none. */
  readonly used: { readonly [Role in LmRole]?: Usage };
  /** What was sent to a server, by role; reports on test are not in it. */
  readonly billed: { readonly [Role in LmRole]?: LedgerEntry["billed"] };
  /** US dollars for `billed`, with calls of unknown end at their worst; `null` without prices. */
  readonly costUsd: number | null;
  /** Wall time of all processes, in milliseconds; `null` where unknown. */
  readonly elapsedMs: number | null;
}

interface Usage {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What a report on test found for one candidate. */
export interface TestFigure {
  /** Id of the candidate in the run; of an artifact, its one candidate. */
  readonly candidate: number;
  readonly metric: string;
  readonly value: number | null;
  readonly interval: Interval | null;
  /** The seed program on the same examples; absent if it was not evaluated. */
  readonly seed?: { readonly value: number | null; readonly interval: Interval | null };
  /**
   * Candidate minus seed, paired by example; `null` where the candidate is the program as it was,
   * absent where nothing can be claimed.
   */
  readonly comparison?: Omit<Comparison, "dropped"> | null;
  /** Of the objective, where repeated rows show one beyond noise. */
  readonly drift?: Drift;
}
