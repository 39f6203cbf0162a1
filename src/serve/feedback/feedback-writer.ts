import { messageOf } from "../../errors/index.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { Tally } from "./feedback-tables.ts";
import type { KeptCompletion, Rater, Rating } from "./kept-completion.ts";
import type { ItemOutcome, WriteItem, WriterSettings } from "./write-batch.ts";
import { writerThread } from "./writer-thread.ts";

/** Writes a feedback file on its own thread, so that keeping an answer never waits. */
export interface FeedbackWriter {
  /** Queues an answer, or counts it as unkept if the queue is full. Never throws. */
  keep(completion: KeptCompletion): void;
  /**
   * Resolves when the rating is on the disk, with the answer it rates.
   *
   * @returns `unknown` if the id is not kept or belongs to another; `unwritten` if the file did not
   *   take it in time
   */
  rate(id: string, rating: Rating, by: Rater): Promise<"rated" | "unknown" | "unwritten">;
  /** Erases expired answers; resolves after the attempt. */
  prune(): Promise<void>;
  status(): WriterStatus;
  /** Writes the queue within `patienceMs` and ends the thread; the rest counts as unkept. */
  close(patienceMs: number, signal?: AbortSignal): Promise<void>;
}

export interface WriterStatus {
  /** Whether the last batch could be written, and the current one does not take too long. */
  readonly isWriting: boolean;
  /** Answers in the queue. */
  readonly waiting: number;
  /** Answers lost since the start, by reason. */
  readonly unkept: Readonly<Record<"queue_full" | "refused" | "stopped", number>>;
  /** Tallies of the last batch; a read also requests newer ones. */
  readonly tallies: readonly Tally[];
}

export interface FeedbackWriterOptions extends WriterSettings {
  readonly log: ServerLog;
  readonly now: () => Date;
  /** Answers from before this time are erased. */
  readonly oldestMs: () => number;
  /** Limits of the queue; answers beyond them are not kept. */
  readonly limits: { readonly rows: number; readonly bytes: number };
}

export function feedbackWriter({
  log,
  now,
  oldestMs,
  limits,
  ...settings
}: FeedbackWriterOptions): FeedbackWriter {
  const thread = writerThread(settings);
  let queue: Waiting[] = [];
  const unkept = { queue_full: 0, refused: 0, stopped: 0 };
  let tallies: readonly Tally[] = [];
  let bytes = 0;
  let answers = 0;
  let state: "writing" | "failing" | "closed" = "writing";
  let isOverflowing = false;
  let lastProblem = "";
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let inFlight: readonly Waiting[] = [];

  const enqueue = (waiting: Waiting): void => {
    queue.push(waiting);
    bytes += waiting.bytes;
    if (waiting.item.kind === "keep") answers += 1;
    schedule();
    // Somebody waits for it.
    if (waiting.done !== undefined && state === "writing" && sending === undefined) send();
  };
  const schedule = (): void => {
    if (sending !== undefined) return;
    timer ??= setTimeout(send, state === "failing" ? retryMs : gatherMs);
  };
  const send = (): void => {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendBatch().finally(() => {
      sending = undefined;
      if (queue.length === 0 || state === "closed") return;
      schedule();
      if (state === "writing" && queue.some(({ done }) => done !== undefined)) send();
    });
  };
  const sendBatch = async (): Promise<void> => {
    dropLate();
    const batch = firstOf(queue);
    inFlight = batch;
    const problem = `Writing a batch takes longer than ${slowBatchMs / 1_000} seconds.`;
    const slow = setTimeout(() => failed({ problem }), slowBatchMs).unref();
    const outcome = await thread.write(batch.map(({ item }) => item));
    clearTimeout(slow);
    inFlight = [];
    if (state === "closed") return;
    if (outcome.state === "failed") {
      failed(outcome);
      dropLate();
      return;
    }
    queue.splice(0, batch.length);
    ({ tallies } = outcome);
    for (const [index, waiting] of batch.entries()) settle(waiting, outcome.outcomes[index]);
    recovered();
  };
  /** Report a rating as unwritten only if no batch can still write it. */
  const dropLate = (): void => {
    const late = queue.filter((each) => each.isLate?.() && !inFlight.includes(each));
    if (late.length === 0) return;
    queue = queue.filter((waiting) => !late.includes(waiting));
    for (const { done } of late) done?.();
  };
  const settle = ({ item, bytes: size, done }: Waiting, outcome?: ItemOutcome): void => {
    bytes -= size;
    if (item.kind === "keep") answers -= 1;
    if (outcome?.state === "refused") {
      if (item.kind === "keep") unkept.refused += 1;
      log("feedback-refused", { kind: item.kind, problem: outcome.problem });
    }
    done?.(outcome);
  };
  const failed = ({ problem }: { readonly problem: string }): void => {
    if (state === "writing" || problem !== lastProblem) {
      log("feedback-unwritten", { problem, waiting: answers });
    }
    state = "failing";
    lastProblem = problem;
  };
  const recovered = (): void => {
    if (state === "failing")
      log("feedback-written", { waiting: answers, unkept: unkept.queue_full });
    state = "writing";
    // Needs some room, so that a queue at its limit does not change state with each answer.
    if (answers < limits.rows / 2 && bytes < limits.bytes / 2) isOverflowing = false;
  };
  const lose = (): void => {
    unkept.queue_full += 1;
    if (!isOverflowing) log("feedback-queue-full", { waiting: answers, bytes });
    isOverflowing = true;
  };

  return {
    keep: (completion) => {
      if (state === "closed") return void (unkept.stopped += 1);
      try {
        const json = JSON.stringify(completion);
        // A character has two bytes at most.
        const size = 2 * json.length;
        if (answers >= limits.rows || bytes + size > limits.bytes) lose();
        else enqueue({ item: { kind: "keep", json }, bytes: size });
      } catch (error) {
        unkept.refused += 1;
        log("feedback-refused", { kind: "keep", problem: messageOf(error) });
      }
    },
    rate: async (id, rating, by) => {
      const waits = queue.length - answers;
      if (state === "closed" || waits >= limits.rows) return "unwritten";
      const { promise, resolve } = Promise.withResolvers<"rated" | "unknown" | "unwritten">();
      let isLate = false;
      const patience = setTimeout(() => {
        isLate = true;
        dropLate();
      }, ratingPatienceMs);
      enqueue({
        item: { kind: "rate", id, rating, by, atMs: now().getTime(), oldestMs: oldestMs() },
        bytes: 0,
        isLate: () => isLate,
        done: (outcome) =>
          resolve(
            outcome?.state === "written"
              ? "rated"
              : outcome?.state === "unknown"
                ? "unknown"
                : "unwritten",
          ),
      });
      try {
        return await promise;
      } finally {
        clearTimeout(patience);
      }
    },
    prune: async () => {
      const isWaiting = queue.some(({ item }) => item.kind === "prune");
      if (state === "closed" || isWaiting) return;
      enqueue({ item: { kind: "prune", oldestMs: oldestMs() }, bytes: 0 });
      send();
      await sending;
    },
    status: () => {
      if (state !== "closed") schedule();
      return { isWriting: state === "writing", waiting: answers, unkept: { ...unkept }, tallies };
    },
    close: async (patienceMs, signal) => {
      const late = Promise.withResolvers<void>();
      const patience = setTimeout(late.resolve, patienceMs);
      const isOver = late.promise.then(() => true as const);
      signal?.addEventListener("abort", () => late.resolve(), { once: true });
      if (signal?.aborted) late.resolve();
      while (queue.length > 0) {
        send();
        if (await Promise.race([isOver, sending])) break;
        if (state !== "failing") continue;
        const pause = Promise.withResolvers<void>();
        setTimeout(pause.resolve, retryMs);
        if (await Promise.race([isOver, pause.promise])) break;
      }
      clearTimeout(patience);
      clearTimeout(timer);
      state = "closed";
      unkept.stopped += answers;
      if (answers > 0) log("feedback-lost", { answers, problem: lastProblem });
      for (const { done } of queue.splice(0)) done?.();
      await thread.end();
    },
  };
}

interface Waiting {
  readonly item: WriteItem;
  readonly bytes: number;
  readonly isLate?: () => boolean;
  /** @param outcome `undefined` if it was not tried */
  readonly done?: (outcome?: ItemOutcome) => void;
}

/** Answers that come within this time share a transaction. */
const gatherMs = 100;
const retryMs = 250;
/** A batch that takes longer is reported like a failed one. */
const slowBatchMs = 5_000;
/** Answers the client before most clients give up. */
const ratingPatienceMs = 3_000;

/** Bounds a transaction, and the data copied for it. */
const batchItems = 500;
const batchBytes = 8 * 2 ** 20;

function firstOf(queue: readonly Waiting[]): readonly Waiting[] {
  let size = 0;
  const end = queue.findIndex((waiting, index) => {
    size += waiting.bytes;
    return index >= batchItems || (index > 0 && size > batchBytes);
  });
  return end === -1 ? queue.slice() : queue.slice(0, end);
}
