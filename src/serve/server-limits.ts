import { checkCount, checkMilliseconds } from "../internal/index.ts";
import type { ChatServerOptions } from "./chat-server-options.ts";
import { defaultMaxInput } from "./model/input-too-long.ts";

const counts = [
  "concurrency",
  "maxBytes",
  "maxInput",
  // Node.js requires whole milliseconds here.
  "requestTimeoutMs",
] as const;

/** How much a server accepts, and how long it waits. */
export type ServerLimits = Pick<
  ChatServerOptions,
  (typeof counts)[number] | "deadlineMs" | "queue" | "drainMs"
>;

/**
 * The limits of a server, checked before anything is opened: with 0 concurrent questions, each
 * would wait forever.
 *
 * @throws EspalierError `option-invalid`
 */
export function serverLimits({
  concurrency = 16,
  queue = 64,
  deadlineMs = 600_000,
  maxBytes = 1_048_576,
  maxInput = defaultMaxInput,
  requestTimeoutMs = 30_000,
  drainMs = 30_000,
}: ServerLimits): Required<ServerLimits> {
  const limits = {
    concurrency,
    queue,
    deadlineMs,
    maxBytes,
    maxInput,
    requestTimeoutMs,
    drainMs,
  };
  for (const name of counts) checkCount(name, limits[name]);
  checkCount("queue", queue, 0);
  checkMilliseconds("deadlineMs", deadlineMs, { least: 1 });
  checkMilliseconds("drainMs", drainMs);
  return limits;
}
