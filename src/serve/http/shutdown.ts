import type { Server } from "node:http";
import type { Clock } from "../../internal/index.ts";

/** The shutdown of a server. */
export interface Shutdown {
  /** Whether the shutdown has begun. */
  readonly isDraining: boolean;
  /** Fires when the time that it allows is over. */
  readonly stopping: AbortSignal;
  /**
   * Waits for unfinished answers and closes everything; a second call ends the wait.
   *
   * @param server `null` for one that is not ours
   */
  stop(server: Server | null, parts: StoppedParts): Promise<void>;
}

export interface StoppedParts {
  /** Ends, at the start, the parts that no answer needs. */
  readonly onStart: () => void;
  /** Resolves when no answer is unfinished. */
  readonly idle: () => Promise<void>;
  /**
   * Closes the stores that answers write to.
   *
   * @param leftMs rest of the time that the shutdown allows
   * @param hurried fires when the shutdown is requested again
   */
  readonly close: (leftMs: number, hurried: AbortSignal) => Promise<void>;
}

/** @param drainMs how long to wait for unfinished answers */
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
    stop: async (server, { onStart, idle, close }) => {
      if (isDraining) {
        stopping.abort();
        hurried.abort();
        server?.closeAllConnections();
        return;
      }
      isDraining = true;
      const startedAt = clock.now();
      onStart();
      await drain(server, { idle, drainMs, stopping, clock });
      await close(drainMs - (clock.now() - startedAt), hurried.signal);
    },
  };
}

/**
 * Accepts no more connections, waits up to `drainMs` for unfinished answers, and closes.
 *
 * @param stopping is aborted when the wait is over; answers that are still unfinished then end with
 *   an error, which gets a moment to be sent
 */
async function drain(
  server: Server | null,
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
  const closed = new Promise<void>((done) =>
    server === null ? done() : server.close(() => done()),
  );
  const patience = new AbortController();
  await Promise.race([idle(), clock.sleep(drainMs, patience.signal).catch(() => undefined)]);
  patience.abort();
  stopping.abort();
  const sweep = setInterval(() => server?.closeIdleConnections(), 20);
  const cut = setTimeout(() => server?.closeAllConnections(), 2_000);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
