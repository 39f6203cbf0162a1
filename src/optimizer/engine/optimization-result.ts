import type { Candidate, JsonObject } from "../../contract/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { UsageByRole } from "../budget/index.ts";
import type { ListenerFailures } from "./listener.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { OptimizerOutcome, Spent } from "../contract/optimizer.ts";

/** What a run found, and how. Frozen plain data, except for the program. */
export interface OptimizationResult<TInput = unknown, TOutput = unknown> extends OptimizerOutcome {
  /** The program with the best candidate's components. */
  readonly program: TunableProgram<TInput, TOutput>;
  /** The best candidate's components. */
  readonly components: Candidate;
  /**
   * Ids of the candidates that no other candidate dominates (matches or beats in every measure and
   * beats in one), ascending. Measures are quality, the metric's further objectives, and costs.
   */
  readonly front: readonly number[];
  readonly plan: OptimizerPlan;
  readonly spent: Spent;
  /**
   * In US dollars, with calls of unknown end at their worst case; `null` unless every role has a
   * price.
   */
  readonly costUsd: number | null;
  /**
   * Calls of the run by role: `logical` covers the steps that stand, as if nothing were cached;
   * `billed` covers everything sent to a server, across all processes of the run.
   */
  readonly ledger: LedgerSnapshot;
  /**
   * Usage of a step that a cap cut short; no other figure except `billed` includes it. Depends on
   * timing.
   */
  readonly cutShort: UsageByRole;
  /** Errors of `onEvent`, which did not end the run. */
  readonly listenerFailures?: ListenerFailures;
  /** Everything the trajectory depended on. */
  readonly run: JsonObject;
  /** Wall time, across all processes of the run. */
  readonly seconds: number;
}
