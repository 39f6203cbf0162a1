import type { Candidate, JsonObject } from "../../contract/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { UsageByRole } from "../budget/index.ts";
import type { CandidateRecord, Rejection } from "../candidate/candidate-record.ts";
import type { ListenerFailures } from "./guarded-listener.ts";
import type { MetDispute, StopReason } from "../contract/optimizer-event.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Spent } from "../contract/optimizer.ts";

/** What a run found, and how. Frozen plain data, the program excepted. */
export interface OptimizationResult<TInput = unknown, TOutput = unknown> {
  readonly reason: StopReason;
  /** What more there is to say of it. */
  readonly detail?: string;
  /** The program with the best candidate's components. */
  readonly program: TunableProgram<TInput, TOutput>;
  /** The best candidate's components. */
  readonly components: Candidate;
  readonly best: CandidateRecord;
  /** All that were accepted, the seed first; each names its parents. */
  readonly candidates: readonly CandidateRecord[];
  /**
   * Candidates that no other one is at least as good as in every measure and better in one:
   * quality, the metric's further objectives, and costs. Ids, ascending.
   */
  readonly front: readonly number[];
  /** Proposals that were not, and why. */
  readonly refusals: readonly Rejection[];
  /**
   * Components that could have changed, but whose predictor no rollout ran, so that they are as
   * they were. Absent where the optimizer does not tell.
   */
  readonly neverInvoked?: readonly string[];
  /** Where re-runs disagreed with scores that were inherited. Absent where nothing is inherited. */
  readonly disputes?: readonly MetDispute[];
  readonly plan: OptimizerPlan;
  readonly spent: Spent;
  /**
   * In US dollars, calls without a known end at their worst; `null` unless every role has a price.
   */
  readonly costUsd: number | null;
  /**
   * Calls of the run by role: `logical` of the steps that stand, as if nothing were cached;
   * `billed` of all that went to a server, over all processes of the run.
   */
  readonly ledger: LedgerSnapshot;
  /**
   * Calls of a step that a cap cut short, which no other figure but `billed` holds. Depends on
   * timing.
   */
  readonly cutShort: UsageByRole;
  /** Errors of `onEvent`, which ended nothing. */
  readonly listenerFailures?: ListenerFailures;
  /** All that the trajectory depended on. */
  readonly run: JsonObject;
  /** Wall time, over all processes of the run. */
  readonly seconds: number;
}
