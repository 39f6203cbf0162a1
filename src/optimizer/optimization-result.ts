import type { Candidate, JsonObject } from "../contract/index.ts";
import type { LedgerSnapshot } from "../lm/index.ts";
import type { TunableProgram } from "../program/index.ts";
import type { CandidateRecord, Refusal } from "./candidate-record.ts";
import type { StopReason } from "./optimizer-event.ts";
import type { OptimizerPlan } from "./optimizer-plan.ts";
import type { Spent } from "./optimizer.ts";

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
  /** Proposals that were not, and why. */
  readonly refusals: readonly Refusal[];
  readonly plan: OptimizerPlan;
  readonly spent: Spent;
  /** In US dollars; `null` without prices. */
  readonly costUsd: number | null;
  /** Calls of the run by role, over all its processes. */
  readonly ledger: LedgerSnapshot;
  /** All that the trajectory depended on. */
  readonly run: JsonObject;
  /** Wall time, over all processes of the run. */
  readonly seconds: number;
}
