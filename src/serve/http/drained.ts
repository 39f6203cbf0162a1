import type { Server } from "node:http";
import type { Clock } from "../../internal/index.ts";

/**
 * Takes no more connections, waits for the answers in the making as long as `drainMs` allows, and
 * closes.
 *
 * @param stopping is aborted then: what is left is told so, and given a moment to be sent
 */
export async function drained(
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
