import PQueue from "p-queue";
import type { Failure } from "../../errors/index.ts";
import { errorCodes, failureOf, EspalierError } from "../../errors/index.ts";
import { effectiveFailure } from "../../evaluate/index.ts";
import { checkCount, linkedAbort } from "../../internal/index.ts";
import { z } from "zod";
import type { Trace, LanguageModel } from "../../contract/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { withOneInput } from "../model/chat-model.ts";
import { runChat } from "../model/chat-run.ts";
import { inputTooLong, excessSentence } from "../model/input-too-long.ts";
import type { BatchFormat, BatchQuestion, LineFormat } from "../protocol/protocol-adapter.ts";
import { inputExcess } from "../../signature/index.ts";
import { readJsonl, readLines } from "../../trainset/index.ts";

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
    if (failure.kind !== "infrastructure" || faultsInRow >= maxFaultsInRow) stop(failure);
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
const maxFaultsInRow = 3;

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

/** One row of a batch, ready to run. */
export interface BatchJob {
  readonly id: string | number;
  /** Never rejects. */
  run(signal: AbortSignal): Promise<JobOutcome>;
  failedLine(message: string): object;
}

/** How the run of a row ended. */
type JobOutcome =
  /** The row cannot be run; `why` is a sentence for its line. */
  | { readonly state: "refused"; readonly why: string }
  | {
      readonly state: "ran";
      /** `null` if the run did not end. */
      readonly trace: Trace | null;
      readonly failure: Failure | null;
      /** The line of a run that did not fail. */
      line(): object;
    };

/**
 * Questions of a protocol, answered by a chat model. The id of a row determines its seed: a
 * repeated question samples the same.
 *
 * @throws EspalierError `option-invalid`
 */
export function chatJobs(
  questions: readonly BatchQuestion[],
  {
    model,
    lm,
    maxInput,
    format,
  }: {
    readonly model: ChatModel;
    readonly lm: LanguageModel;
    /** Maximum UTF-16 code units of a text whose field has no maximum of its own; at least 1. */
    readonly maxInput: number;
    readonly format: BatchFormat;
  },
): readonly BatchJob[] {
  checkCount("maxInput", maxInput);
  return questions.map(({ id, question, history = [] }) => ({
    id,
    run: async (signal) => {
      const given = withOneInput(model);
      const asked = { question, history, images: [], askedAt: new Date() };
      const why = inputTooLong(given, asked, maxInput);
      if (why !== null) return { state: "refused", why };
      const outcome = await runChat(given, { ...asked, id: String(id), lm, signal });
      const { trace, failure = null } = outcome;
      return { state: "ran", trace, failure, line: () => format.lineOf(id, outcome) };
    },
    failedLine: (message) => format.failedLine(id, message),
  }));
}

/** A row of a program's inputs: `{ "id": "q1", "input": { "question": "..." } }`. */
export interface ProgramRow {
  /** Unique in its file; 1 and "1" are the same. */
  readonly id: string | number;
  readonly input: Readonly<Record<string, unknown>>;
}

const id = z.union([z.string().min(1), z.int()], "a string or a whole number");

export const programRow: z.ZodType<ProgramRow> = z.object({
  id,
  input: z.record(z.string(), z.unknown()),
});

const written = z.looseObject({ id }).refine((line) => "output" in line || "error" in line);

/** `{ "id", "output" }`, or `{ "id", "error" }` if the program failed. */
export const programLines: LineFormat = {
  idIn: (line) => written.safeParse(line).data?.id,
  shape: "one JSON object per line, with `id` and either `output` or `error`",
};

/**
 * Runs a model's program on rows of its own inputs. The id of a row determines its seed: a repeated
 * run samples the same.
 *
 * @throws EspalierError `option-invalid`
 */
export function programJobs(
  rows: readonly ProgramRow[],
  {
    model: { program, lms = {} },
    lm,
    maxInput,
  }: {
    readonly model: ChatModel;
    readonly lm: LanguageModel;
    /** Maximum UTF-16 code units of a text whose field has no maximum of its own; at least 1. */
    readonly maxInput: number;
  },
): readonly BatchJob[] {
  checkCount("maxInput", maxInput);
  return rows.map(({ id, input }) => ({
    id,
    run: async (signal) => {
      const excess = inputExcess(program.input, input, maxInput);
      if (excess !== null) return { state: "refused", why: excessSentence(excess) };
      try {
        const options = { lm, lms, seed: 0, requestId: String(id), signal };
        const attempt = await program.attempt(input, options);
        const { trace } = attempt;
        return attempt.state === "failed"
          ? { state: "ran", trace, failure: attempt.failure, line: () => ({ id }) }
          : { state: "ran", trace, failure: null, line: () => ({ id, output: attempt.output }) };
      } catch (error) {
        return { state: "ran", trace: null, failure: failureOf(error), line: () => ({ id }) };
      }
    },
    failedLine: (message) => ({ id, error: message }),
  }));
}

/**
 * Reads the rows of a batch, one per line.
 *
 * @param idName what the file calls the id, for messages
 * @throws EspalierError `file-missing`, or `file-malformed` with the line
 */
export async function readRows<TRow extends { readonly id: string | number }>(
  path: string,
  row: z.ZodType<TRow>,
  idName = "id",
): Promise<readonly TRow[]> {
  const rows = await readJsonl(path, row);
  const lines = await readLines(path);
  const seen = new Map<string, number | undefined>();
  for (const [index, { id }] of rows.entries()) {
    const line = lines[index]?.number;
    const before = seen.get(String(id));
    if (before !== undefined) {
      throw new EspalierError({
        code: "file-malformed",
        problem: `Two rows have the same ${idName}`,
        expected: `a unique ${idName} in each row`,
        got: `"${id}" again, first on line ${before}`,
        where: `${path}:${line}`,
      });
    }
    seen.set(String(id), line);
  }
  return rows;
}
