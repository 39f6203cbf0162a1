import type { LanguageModel } from "../contract/index.ts";
import { cached } from "./cached.ts";
import { diskCache } from "./disk-cache.ts";
import type { Ledger } from "./ledger.ts";
import { ledgered } from "./ledgered.ts";
import type { Limiter } from "./limited.ts";
import { limited, limiter } from "./limited.ts";
import type { OpenAiCompatibleOptions } from "./openai-compatible.ts";
import { openAiCompatible } from "./openai-compatible.ts";
import { recorded } from "./recorded.ts";
import { retried } from "./retried.ts";
import type { RetryOptions } from "./retry.ts";

export interface ConnectOptions extends OpenAiCompatibleOptions {
  /** Requests in flight at most; or the limiter of the server, where several models share one. @default 8 */
  readonly concurrency?: number | Limiter;
  readonly retry?: RetryOptions;
  /** SQLite file, see `diskCache`. Absent: no cache. */
  readonly cachePath?: string;
  /** JSONL file, see `recorded`. Absent: no recording. */
  readonly recordPath?: string;
  readonly ledger?: Ledger;
}

/** A language model that holds a file open. */
export type Connection = LanguageModel & AsyncDisposable;

/**
 * A server with everything around it, in the one order that makes sense, from the inside:
 *
 * 1. the limiter next to the client, so that only requests take a slot, and a call gives its slot
 *    back while it waits to be retried; waiting for a slot is no silence, so it cannot stall;
 * 2. retries within the cache, so that only what finally came is kept;
 * 3. the recording outside the cache, so that it is complete whatever was cached;
 * 4. the ledger outermost, so that it sees each call once and knows whether it was cached.
 *
 * @example
 * await using lm = connect({ baseUrl, model, cachePath: ".cache/replies.sqlite" });
 */
export function connect({
  concurrency = 8,
  retry = {},
  cachePath,
  recordPath,
  ledger,
  ...client
}: ConnectOptions): Connection {
  const slots = typeof concurrency === "number" ? limiter(concurrency) : concurrency;
  const cache = cachePath === undefined ? undefined : diskCache(cachePath);
  let lm = retried(limited(openAiCompatible(client), slots), retry);
  if (cache !== undefined) lm = cached(lm, cache);
  if (recordPath !== undefined) lm = recorded(lm, recordPath);
  if (ledger !== undefined) lm = ledgered(lm, ledger);
  return {
    identity: lm.identity,
    doGenerate: (request, options) => lm.doGenerate(request, options),
    [Symbol.asyncDispose]: async () => cache?.[Symbol.asyncDispose](),
  };
}
