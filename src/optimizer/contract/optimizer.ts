import type {
  Failure,
  Json,
  JsonObject,
  LanguageModel,
  RandomSource,
  SplitName,
} from "../../contract/index.ts";
import type { Predictor } from "../../program/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../../signature/index.ts";
import type { Budget } from "../budget/index.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import type { Rollout } from "../evaluation/rollout.ts";
import type { EvaluateRequest, StepEvaluation } from "../evaluation/step-evaluation.ts";
import type { MetDispute, OptimizerEvent, StopReason } from "./optimizer-event.ts";
import type { OptimizerPlan } from "./optimizer-plan.ts";
import type { SearchSpace } from "../task/search-space.ts";

/**
 * A way to search for better components. Implement `doPlan` and `doOptimize`; call `optimize()`,
 * which brings journal, budget and evaluation. An optimizer must decide from nothing but its
 * arguments, what `run` returns, and random sources of the run's seed: then a resumed run repeats
 * itself.
 */
export interface Optimizer {
  readonly name: string;
  readonly version: string;
  /** Used unless the run names its own. */
  readonly budget?: Budget;
  /** Used unless the run names its own. */
  readonly seed: number;
  /** Used unless the run names its own; absent: the run's LM. */
  readonly reflectionLm?: LanguageModel;
  /** Whether it asks the reflection LM; if not, that needs no price. @default true */
  readonly asksReflection?: boolean;
  /** Whether it ends without a cap, which a run otherwise must have. @default false */
  readonly endsByItself?: boolean;
  /** Everything else that the trajectory depends on. */
  readonly settings: JsonObject;
  /** What the budget allows, before anything is spent. Throws for a space it cannot search. */
  doPlan(space: SearchSpace, budget: Budget): OptimizerPlan;
  doOptimize(space: SearchSpace, run: OptimizerRun): Promise<OptimizerOutcome>;
  /**
   * The same search, which also ends, with a result, once something outside says why: asked between
   * two steps, after whatever else ends it. Absent where the search cannot.
   *
   * It gives an optimizer of the same name and version. One that is spread from another has the
   * other's, which gives the other back, without what was changed: it needs its own, or none.
   *
   * @example
   * const wrapped = (inner: Optimizer): Optimizer => ({
   *   ...inner,
   *   name: "wrapped",
   *   withStop: (stop) => wrapped(inner.withStop?.(stop) ?? inner),
   * });
   */
  withStop?(stop: OutsideStop): Optimizer;
}

export interface OutsideStop {
  readonly name: string;
  /** `null` goes on, else the reason in a few words. */
  readonly stop: () => string | null;
}

/** What an optimizer found. */
export interface OptimizerOutcome {
  readonly reason: StopReason;
  /** What more there is to say of it. */
  readonly detail?: string;
  readonly candidates: readonly CandidateRecord[];
  readonly refusals: readonly Rejection[];
  readonly best: CandidateRecord;
  /**
   * Components that could have changed, but whose predictor no rollout ran: nothing was learnt of
   * them. Absent where the optimizer does not tell.
   */
  readonly neverInvoked?: readonly string[];
  /** Where re-runs disagreed with scores that were inherited. Absent where nothing is inherited. */
  readonly disputes?: readonly MetDispute[];
}

/** What a step may need at most, or about; see `OptimizerRun.fits`. */
export interface StepNeed {
  /** In rollouts: where one is several metric calls, that is counted. */
  readonly metricCalls: number;
  readonly reflections: number;
}

/** What `optimize()` lends to an optimizer. Steps are made one after the other. */
export interface OptimizerRun {
  readonly seed: number;
  /** Metric calls of one rollout. */
  readonly repetitions: number;
  /** The generator of operation `index` of a named stream; see `randomSource`. */
  random(stream: string, index: number): RandomSource;
  /**
   * Whether a step that needs so much may begin: exact for metric calls, an estimate for the rest.
   */
  fits(need: StepNeed): boolean;
  readonly spent: Spent;
  /**
   * Asks something that depends on more than the run's seed: the time, money, a file, a signal. The
   * answer is recorded, and a resumed run gets the same one.
   */
  observe<TAnswer extends Json>(look: (now: Observed) => TAnswer): TAnswer;
  /**
   * Runs and judges candidates, each on some examples, side by side; gives the rollouts of each
   * request in the order of its ids. Each is one metric call, or as many as the run makes of it.
   * Rejects with `budget-exhausted` when a cap ends it within; nothing of it counts then.
   */
  evaluate(requests: readonly EvaluateRequest[]): Promise<readonly (readonly Rollout[])[]>;
  /** Figures of rollouts on one split, these or earlier ones. Costs nothing. */
  summarize(split: SplitName, rollouts: readonly Rollout[]): StepEvaluation;
  /**
   * Calls of a predictor on the reflection LM, side by side; an `id` names its call, and seeds it
   * with the run's seed.
   */
  ask<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
    predictor: Predictor<TInput, TOutput>,
    calls: readonly { readonly id: string; readonly inputs: InputOf<TInput> }[],
  ): Promise<readonly Asked<OutputOf<TOutput>>[]>;
  /**
   * Asks something else than the reflection LM, which stands for `count` of its calls. What it
   * brings is recorded, and not asked for again: before it is used, or soon after where it came at
   * once.
   */
  consult<TValue extends Json>(
    count: number,
    propose: (signal: AbortSignal) => TValue | Promise<TValue>,
  ): Promise<TValue>;
  /** Journals an event and hands it to listeners. */
  emit(event: OptimizerEvent): void;
  /**
   * Begins to make what was journalled so far survive a loss of power; the run does not wait for
   * it.
   */
  checkpoint(): void;
}

/** What of a run depends on more than its seed. */
export interface Observed {
  /** In milliseconds, over all processes of the run. */
  readonly elapsedMs: number;
  /**
   * What was billed, in US dollars, calls without a known end at their worst; `null` unless every
   * role that the run uses has a price.
   */
  readonly costUsd: number | null;
}

export type Asked<TOutputs> =
  | { readonly ok: true; readonly outputs: TOutputs }
  | { readonly ok: false; readonly failure: Failure };

/** What a run has used up, calls and tokens as if nothing were cached. */
export interface Spent {
  readonly metricCalls: number;
  /** Texts asked of the reflection LM, or of a custom proposer. */
  readonly reflectionCalls: number;
  readonly lmCalls: number;
  readonly tokens: number;
}
