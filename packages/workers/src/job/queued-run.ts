import type {
  Candidate,
  Failure,
  GoldPart,
  LmCallOptions,
  LmIdentity,
  LmRequest,
  LmRole,
  MadeCall,
} from "../../../../src/contract/index.ts";
import type { ErrorCode, ErrorReport } from "../../../../src/errors/index.ts";
import { EspalierError, failureOf } from "../../../../src/errors/index.ts";
import { contentHash, sha256 } from "../../../../src/internal/index.ts";
import type {
  Allowance,
  RunOutcome,
  TimedAttempt,
  TokenPrices,
} from "../../../../src/runner/index.ts";

/** One attempt at an example as a job: all that a worker needs beside its checkout. */
export interface QueuedRun {
  readonly candidate: Candidate;
  /** Hash of the candidate. */
  readonly program: string;
  /** Hash of the example, which the worker has. */
  readonly example: string;
  readonly exampleId: string;
  readonly seed: number;
  readonly repetition: number;
  readonly role: LmRole;
  readonly gold?: Readonly<Record<string, GoldPart>>;
  readonly temperature?: number;
  readonly attempts: number;
  readonly answered?: TimedAttempt<unknown>;
  /** Absent: no cap limits it. */
  readonly allowance?: Allowance;
  readonly prices?: TokenPrices;
}

/**
 * The id of a job, which says all that its data says: a worker refuses data that do not fit it.
 *
 * @param checkout hash of the run's checkout
 */
export function jobId(run: string, checkout: string, data: QueuedRun): string {
  const { candidate: _candidate, prices: _prices, answered, ...about } = data;
  const answer = answered && sha256(JSON.stringify(answered));
  return contentHash({ run, study: checkout, ...about, answer });
}

/** What a worker did for a job. */
export interface QueuedResult {
  readonly outcome: QueuedOutcome;
  /** The calls that it made, in the order in which they ended. */
  readonly calls: readonly QueuedCall[];
  /** The part of the allowance that was not enough. */
  readonly lacking?: keyof Allowance;
}

export interface QueuedCall {
  /** Which LM was asked: the main one, the judge, one by its name, or a tool. */
  readonly asked: AskedLm;
  readonly request: LmRequest;
  readonly options: Pick<LmCallOptions, "role" | "repetition" | "callPath" | "exampleId">;
  readonly made: MadeCall;
}

export type AskedLm =
  | { readonly kind: "main" }
  | { readonly kind: "judge" }
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "tool"; readonly identity: LmIdentity };

/** An outcome whose error is data. */
export type QueuedOutcome =
  | Exclude<RunOutcome<unknown>, { state: "stopped" }>
  | { readonly state: "stopped"; readonly failure: Failure; readonly error: QueuedError };

type QueuedError =
  | { readonly code: ErrorCode; readonly report: ErrorReport; readonly stack?: string }
  | { readonly name: string; readonly message: string; readonly stack?: string };

export function queuedOutcome(outcome: RunOutcome<unknown>): QueuedOutcome {
  if (outcome.state !== "stopped") return outcome;
  const { error, failure } = outcome;
  const stack = error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {};
  if (EspalierError.isInstance(error)) {
    const { code, report } = error;
    return { state: "stopped", failure, error: { code, report, ...stack } };
  }
  const { name, message } =
    error instanceof Error ? error : { name: "Error", message: failure.message };
  return { state: "stopped", failure, error: { name, message, ...stack } };
}

export function outcomeOf(queued: QueuedOutcome): RunOutcome<unknown> {
  if (queued.state !== "stopped") return queued;
  const { failure, error: reported } = queued;
  const error =
    "code" in reported
      ? new EspalierError({ code: reported.code, ...reported.report })
      : Object.assign(new Error(reported.message), { name: reported.name });
  if (reported.stack !== undefined) error.stack = reported.stack;
  return { state: "stopped", failure, error };
}

/** The outcome of a run that an error outside of the program ended. */
export function stoppedBy(error: unknown): RunOutcome<never> {
  return { state: "stopped", failure: failureOf(error), error };
}
