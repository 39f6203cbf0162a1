import type { Server } from "node:http";
import type { Clock } from "../../internal/index.ts";

/** The end of a server. */
export interface Shutdown {
  /** Whether it has begun. */
  readonly isDraining: boolean;
  /** Fires when the time that it allows is over. */
  readonly stopping: AbortSignal;
  /** Waits for the answers in the making and closes all; a second call ends the wait. */
  stop(server: Server, parts: StoppedParts): Promise<void>;
}

/** What stops with a server. */
export interface StoppedParts {
  /** Ends at the start what no answer needs. */
  readonly onBegin: () => void;
  /** Resolves when no answer is in the making. */
  readonly idle: () => Promise<void>;
  /**
   * Closes what answers write to.
   *
   * @param leftMs of the time that the shutdown allows
   * @param hurried fires when the shutdown is asked for again
   */
  readonly close: (leftMs: number, hurried: AbortSignal) => Promise<void>;
}

/** @param drainMs how long answers in the making are waited for */
export function shutdown({
  drainMs,
  clock,
}: {
  readonly drainMs: number;
  readonly clock: Clock;
}): Shutdown {
  const stopping = new AbortController();
  const hurried = new AbortController();
  let isDraining = false;
  return {
    get isDraining() {
      return isDraining;
    },
    stopping: stopping.signal,
    stop: async (server, { onBegin, idle, close }) => {
      if (isDraining) {
        stopping.abort();
        hurried.abort();
        server.closeAllConnections();
        return;
      }
      isDraining = true;
      const startedAt = clock.now();
      onBegin();
      await drain(server, { idle, drainMs, stopping, clock });
      await close(drainMs - (clock.now() - startedAt), hurried.signal);
    },
  };
}

/**
 * Takes no more connections, waits for the answers in the making as long as `drainMs` allows, and
 * closes.
 *
 * @param stopping is aborted when the wait is over; answers still in the making then end with an
 *   error, which has a moment to be sent
 */
async function drain(
  server: Server,
  {
    idle,
    drainMs,
    stopping,
    clock,
  }: {
    readonly idle: () => Promise<void>;
    readonly drainMs: number;
    readonly stopping: AbortController;
    readonly clock: Clock;
  },
): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  const patience = new AbortController();
  await Promise.race([idle(), clock.sleep(drainMs, patience.signal).catch(() => undefined)]);
  patience.abort();
  stopping.abort();
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), 2_000);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
