import PQueue from "p-queue";
import type { Failure } from "../../errors/index.ts";
import { errorCodes, failureOf } from "../../errors/index.ts";
import { effectiveFailure } from "../../evaluate/index.ts";
import { checkCount, linkedAbort } from "../../internal/index.ts";
import type { BatchJob, JobOutcome } from "./batch-jobs.ts";

/** How a batch ended. */
export interface BatchOutcome {
  /** Rows that have a line now, failed ones among them. */
  readonly written: number;
  /** Lines of rows that the program failed on. */
  readonly failed: number;
  /** Rows without a line, because of a server's faults or because the batch ended early. */
  readonly left: number;
  /** Why the batch ended before it had tried all rows; `null` if it tried them all. */
  readonly stopped: Failure | null;
}

export interface RunBatchOptions {
  /** Maximum concurrent rows; a whole number of at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called with each line, in any order; an error that it throws ends the batch. */
  readonly onLine: (line: object) => void;
  /** Called with the number of rows tried so far. */
  readonly onTried?: (tried: number) => void;
}

/**
 * Runs rows concurrently. A row that the program fails on gets a line that says so. A row that
 * failed by a server's fault gets none, even if the program handled the fault, so that a later run
 * tries it again.
 *
 * @throws EspalierError `option-invalid`
 */
export async function runBatch(
  jobs: readonly BatchJob[],
  { concurrency, signal, onLine, onTried = () => undefined }: RunBatchOptions,
): Promise<BatchOutcome> {
  checkCount("concurrency", concurrency);
  const either = linkedAbort([signal]);
  let written = 0;
  let failed = 0;
  let tried = 0;
  let faultsInRow = 0;
  let stopped: Failure | null = null;

  const stop = (failure: Failure): void => {
    stopped ??= failure;
    either.abort();
  };
  const write = (line: object, isFailed: boolean): void => {
    try {
      onLine(line);
      written += 1;
      if (isFailed) failed += 1;
    } catch (error) {
      stop(failureOf(error));
    }
  };
  const settle = (job: BatchJob, outcome: JobOutcome): void => {
    if (outcome.state === "refused") {
      write(job.failedLine(outcome.why), true);
      return;
    }
    const failure = faultOf(outcome);
    if (failure === null || isOfRow(failure)) {
      faultsInRow = 0;
      if (failure === null) write(outcome.line(), false);
      else write(job.failedLine(errorCodes[failure.code][1]), true);
      return;
    }
    faultsInRow += 1;
    if (failure.kind !== "infrastructure" || faultsInRow >= mostFaultsInRow) stop(failure);
  };
  const run = async (job: BatchJob): Promise<void> => {
    if (either.signal.aborted) return;
    const outcome = await job.run(either.signal);
    if (either.signal.aborted) return;
    settle(job, outcome);
    tried += 1;
    onTried(tried);
  };
  await new PQueue({ concurrency }).addAll(jobs.map((job) => () => run(job)));
  either.release();
  if (signal.aborted) {
    stopped ??= { kind: "aborted", code: "aborted", message: "The batch was interrupted." };
  }
  return { written, failed, left: jobs.length - written, stopped };
}

/** By then the client has retried each call several times: the server is down. */
const mostFaultsInRow = 3;

function faultOf({ failure, trace }: Extract<JobOutcome, { state: "ran" }>): Failure | null {
  if (trace === null) return failure;
  return effectiveFailure({ state: "completed", output: null, trace }) ?? failure;
}

/** Whether the fault is the row's own, so that another row may succeed. */
function isOfRow({ kind, code }: Failure): boolean {
  return kind === "format" || (kind === "program" && !code.startsWith("lm-") && !ofFiles.has(code));
}

const ofFiles: ReadonlySet<Failure["code"]> = new Set<Failure["code"]>([
  "cache-unusable",
  "write-failed",
]);
