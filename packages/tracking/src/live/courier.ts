import { EspalierError, failureOf } from "../../../../src/errors/index.ts";
import type { Clock } from "../../../../src/internal/index.ts";
import { systemClock } from "../../../../src/internal/index.ts";
import type { Delivery } from "../../../../src/serve/index.ts";

/** Sends pieces of work in the background, one after the other. Only its end is waited for. */
export interface Courier {
  /** There is something to send. */
  wake(): void;
  /** Sends what is left, for so long at most. A second call gives the same. */
  end(patienceMs: number): Promise<Delivery>;
}

export interface CourierOptions {
  /** Sends one piece. Resolves to whether anything is left. */
  readonly next: (signal: AbortSignal) => Promise<boolean>;
  readonly clock?: Clock;
  /** Pause after the first fault; it doubles with each. @default 1_000 */
  readonly firstPauseMs?: number;
  /** @default 30_000 */
  readonly longestPauseMs?: number;
}

/**
 * After a fault it pauses and sends the same piece again; after a refusal, which would come again,
 * it sends nothing more.
 */
export function courier({
  next,
  clock = systemClock,
  firstPauseMs = 1_000,
  longestPauseMs = 30_000,
}: CourierOptions): Courier {
  const aborting = new AbortController();
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isOver = false;
  let isEnding = false;
  let problem: string | undefined;
  let pausing = new AbortController();
  let delivered: Promise<Delivery> | undefined;
  const pause = async (ms: number): Promise<void> => {
    pausing = new AbortController();
    await clock.sleep(ms, pausing.signal).catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!isOver) {
      isWoken = false;
      try {
        if (await next(aborting.signal)) isWoken = true;
        problem = undefined;
        pauseMs = firstPauseMs;
        if (!isWoken) return;
      } catch (error) {
        isWoken = true;
        if (aborting.signal.aborted) return;
        problem = failureOf(error).message;
        const isTransient = EspalierError.isInstance(error) && error.code === "tracking-failed";
        if (!isTransient || isEnding) isOver = true;
        else await pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
  };
  const wake = (): void => {
    isWoken = true;
    if (isOver || isEnding || running !== undefined) return;
    running = run().finally(() => {
      running = undefined;
      if (isWoken) wake();
    });
  };
  const end = async (patienceMs: number): Promise<Delivery> => {
    const last = running ?? (isWoken && !isOver ? run() : undefined);
    isEnding = true;
    pausing.abort();
    if (last !== undefined) {
      const patience = new AbortController();
      const late = clock.sleep(patienceMs, patience.signal).catch(() => undefined);
      await Promise.race([last, late]);
      isOver = true;
      patience.abort();
      aborting.abort();
      await last;
    }
    isOver = true;
    return { isComplete: !isWoken, ...(problem !== undefined && { problem }) };
  };
  return { wake, end: (patienceMs) => (delivered ??= end(patienceMs)) };
}
