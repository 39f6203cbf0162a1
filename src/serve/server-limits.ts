import { checkCount, checkMilliseconds } from "../internal/index.ts";
import type { ChatServerOptions } from "./chat-server-options.ts";
import { defaultMaxInput } from "./model/input-too-long.ts";

const counts = [
  "concurrency",
  "maxBytes",
  "maxMessages",
  "maxInput",
  "maxDepth",
  "maxValues",
  // Node.js requires whole milliseconds here.
  "requestTimeoutMs",
] as const;

const times = ["deadlineMs", "keepAliveMs"] as const;

/** How much a server accepts, and how long it waits. */
export type ServerLimits = Pick<
  ChatServerOptions,
  (typeof counts)[number] | (typeof times)[number] | "queue" | "drainMs"
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
  maxMessages = 1_000,
  maxInput = defaultMaxInput,
  maxDepth = 32,
  maxValues = 20_000,
  requestTimeoutMs = 30_000,
  keepAliveMs = 15_000,
  drainMs = 30_000,
}: ServerLimits): Required<ServerLimits> {
  const limits = {
    concurrency,
    queue,
    deadlineMs,
    maxBytes,
    maxMessages,
    maxInput,
    maxDepth,
    maxValues,
    requestTimeoutMs,
    keepAliveMs,
    drainMs,
  };
  for (const name of counts) checkCount(name, limits[name]);
  checkCount("queue", queue, 0);
  for (const name of times) checkMilliseconds(name, limits[name], { least: 1 });
  checkMilliseconds("drainMs", drainMs);
  return limits;
}
