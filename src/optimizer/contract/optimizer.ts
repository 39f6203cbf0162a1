import type {
  Failure,
  Json,
  JsonObject,
  LanguageModel,
  RandomSource,
  SplitName,
} from "../../contract/index.ts";
import type { Budget } from "../budget/index.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import type { MetDispute, OptimizerEvent, StopReason } from "./optimizer-event.ts";
import type { OptimizerPlan } from "./optimizer-plan.ts";
import type { Rollout } from "../evaluation/rollout.ts";
import type { EvaluateRequest, StepEvaluation } from "../evaluation/evaluator.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { Predictor } from "../../program/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../../signature/index.ts";

/**
 * A way to search for better components. Implement `doPlan` and `doOptimize`; call `optimize()`,
 * which adds the journal, budget and evaluation. An optimizer must decide only from its arguments,
 * the results of `run` and random sources derived from the run's seed, so that a resumed run
 * repeats itself.
 */
export interface Optimizer {
  readonly name: string;
  readonly version: string;
  /** Default for runs that do not set their own. */
  readonly budget?: Budget;
  /** Default for runs that do not set their own. */
  readonly seed: number;
  /** Default for runs that do not set their own; absent: the run's LM. */
  readonly reflectionLm?: LanguageModel;
  /**
   * Runs the program in place of the student where an `EvaluateRequest` asks for the teacher.
   * Default for runs that do not set their own; absent: the student.
   */
  readonly teacherLm?: LanguageModel;
  /** Whether it calls the reflection LM; if not, it needs neither one nor a price. @default true */
  readonly asksReflection?: boolean;
  /** Whether it ends without a cap; otherwise the run must have one. @default false */
  readonly endsByItself?: boolean;
  /** The score that leaves nothing to learn; `null`: none does. @default 1 */
  readonly perfectScore?: number | null;
  /**
   * Whether it runs searches one after the other: what one cannot find, the next one may. @default
   * false
   */
  readonly hasParts?: boolean;
  /** Everything else that the trajectory depends on. */
  readonly settings: JsonObject;
  /**
   * What the budget allows, before anything is spent. Its caps on LM calls, tokens and money are in
   * its metric calls, too. Throws for a space it cannot search.
   */
  doPlan(space: SearchSpace, budget: Budget): OptimizerPlan;
  doOptimize(space: SearchSpace, run: OptimizerRun): Promise<OptimizerOutcome>;
}

/** The outcome of an optimization. */
export interface OptimizerOutcome {
  readonly reason: StopReason;
  /** Further explanation. */
  readonly detail?: string;
  /** All accepted candidates, the seed first; each names its parents. */
  readonly candidates: readonly CandidateRecord[];
  /** Rejected proposals and the reasons. */
  readonly rejections: readonly Rejection[];
  readonly best: CandidateRecord;
  /**
   * Components that could have changed but whose predictor ran in no rollout, so they are
   * unchanged. Absent if the optimizer does not report it.
   */
  readonly neverInvoked?: readonly string[];
  /** Where re-runs disagreed with reused scores. Absent if the optimizer reuses no scores. */
  readonly disputes?: readonly MetDispute[];
}

/** Maximum or estimated needs of a step; see `OptimizerRun.fits`. */
export interface StepNeed {
  /** Each takes as many metric calls as the run's repetitions. */
  readonly rollouts: number;
  /** Texts to be requested. */
  readonly reflectionCalls: number;
}

/** What `optimize()` provides to an optimizer. Steps run one after the other. */
export interface OptimizerRun {
  readonly seed: number;
  /** Metric calls per rollout. */
  readonly repetitions: number;
  /** The generator for operation `index` of a named stream; see `randomSource`. */
  random(stream: string, index: number): RandomSource;
  /**
   * Whether a step with these needs may begin: exact for metric calls, an estimate for the rest.
   */
  fits(need: StepNeed): boolean;
  /**
   * The most rollouts that `fits` allows together with these reflection calls; 0 if none,
   * `Infinity` if no cap bounds them.
   */
  rolloutsLeft(reflectionCalls: number): number;
  /**
   * About how many more rollouts the caps allow: exact under a cap on metric calls; by the plan's
   * estimate under one on LM calls, tokens or money; `Infinity` where time alone, or nothing,
   * bounds them. Before the first rollout, it knows more of these caps than `rolloutsLeft`.
   */
  rolloutsExpected(): number;
  readonly spent: Spent;
  /** Whether the teacher has an LM of its own; else it is the student. */
  readonly hasTeacher: boolean;
  /**
   * Rollouts of train that an earlier search of the same run has paid for, in the order of their
   * steps, without those that had gold. @default none
   */
  readonly paid?: readonly Rollout[];
  /**
   * Why the search is to end: a file `stop` in the run's folder; `null`: go on. Ask between two
   * steps, after every other stopping condition. The answer is recorded where it ends the search,
   * so that a run that was never told to end is the same whether or not it asks.
   */
  stopAsked(): string | null;
  /**
   * Runs and judges candidates side by side, each on some examples; returns the rollouts of each
   * request in the order of its ids. Each rollout is one metric call, or as many as the run's
   * repetitions. Rejects with `budget-exhausted` when a cap is hit during the step; nothing of the
   * step counts then.
   */
  evaluate(requests: readonly EvaluateRequest[]): Promise<readonly (readonly Rollout[])[]>;
  /** Figures of rollouts on one split, from this step or earlier ones. Costs nothing. */
  summarize(split: SplitName, rollouts: readonly Rollout[]): StepEvaluation;
  /**
   * Calls a predictor on the reflection LM, side by side; an `id` names its call and, with the
   * run's seed, seeds it.
   */
  ask<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
    predictor: Predictor<TInput, TOutput>,
    calls: readonly { readonly id: string; readonly inputs: InputOf<TInput> }[],
  ): Promise<readonly Asked<OutputOf<TOutput>>[]>;
  /**
   * Consults something other than the reflection LM, counted as `count` of its calls. The result is
   * recorded and never requested again: it is recorded before use, or soon after if it came
   * synchronously.
   */
  consult<TValue extends Json>(
    count: number,
    propose: (signal: AbortSignal) => TValue | Promise<TValue>,
  ): Promise<TValue>;
  /** Journals an event and passes it to listeners. */
  emit(event: OptimizerEvent): void;
  /** Starts to make everything journalled so far survive a power loss, without blocking the run. */
  checkpoint(): void;
}

export type Asked<TOutputs> =
  | { readonly ok: true; readonly outputs: TOutputs }
  | { readonly ok: false; readonly failure: Failure };

/** What a run has used, with calls and tokens counted as if nothing were cached. */
export interface Spent {
  readonly metricCalls: number;
  /** Texts requested from the reflection LM, or from a custom proposer. */
  readonly reflectionCalls: number;
  readonly lmCalls: number;
  readonly tokens: number;
}

/**
 * The source of a run's random draws. The engine's default gives each operation its own generator.
 * A single generator behind all streams, drawn from in the order of operations, reproduces runs of
 * engines that work that way.
 */
export interface RandomSources {
  /** Identifies the source in the run's description. */
  readonly name: string;
  /** Called once at the start of a run and again on resume; it then repeats the same draws. */
  start(seed: number): (stream: string, index: number) => RandomSource;
}

/**
 * Common to all strategies: a name, and the settings that change its behaviour, for the run's
 * description.
 */
export interface Strategy {
  readonly name: string;
  readonly settings?: JsonObject;
}
