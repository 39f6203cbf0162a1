import type { LanguageModel } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { withoutCredentials } from "../internal/index.ts";
import { cached } from "./wrappers/cached.ts";
import { diskCache } from "./wrappers/disk-cache.ts";
import type { ServerExamination } from "./doctor/index.ts";
import { keptExaminations } from "./doctor/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { ledgered } from "./wrappers/ledgered.ts";
import type { Limiter } from "./wrappers/limited.ts";
import { limited, limiter } from "./wrappers/limited.ts";
import type { OpenAiCompatibleOptions } from "./chat/openai-compatible.ts";
import { openAiCompatible } from "./chat/openai-compatible.ts";
import { recorded } from "./wrappers/recorded.ts";
import type { Replica, ReplicaOptions } from "./replicas/replicas.ts";
import { replicas } from "./replicas/replicas.ts";
import { retried } from "./wrappers/retried.ts";
import type { RetryOptions } from "./wrappers/retry.ts";
import { serverInfo } from "./client/server-info.ts";
import { thinkingTemplates } from "./chat/thinking-template.ts";
import { warmed } from "./wrappers/warmed.ts";

/** Give `baseUrl`, `baseUrls` or `client`. */
export interface ConnectOptions extends Omit<OpenAiCompatibleOptions, "baseUrl"> {
  readonly baseUrl?: string;
  /** Servers that serve the same model alike, see `replicas`. */
  readonly baseUrls?: readonly string[];
  /** How calls are dealt out among several servers. */
  readonly replicas?: ReplicaOptions;
  /**
   * Sends one request of each predictor of each candidate first and the others when it has begun to
   * answer, see `warmed`. @default whether `espalier doctor` found a prefix cache
   */
  readonly warmUp?: boolean;
  /**
   * What `espalier doctor` found out about the server, or about any of several, for what is not
   * given here: dialect, thinking template, warm-up. Read without asking the server; `null` reads
   * nothing.
   * @default ".espalier/servers"
   */
  readonly examinationsFolder?: string | null;
  /**
   * Requests in flight at most, shadows apart; or the limiter of the server, where several models
   * share one.
   * @default 8
   */
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
 * 1. the warm-up next to the client, since each server has a prefix cache of its own, and the
 *    choice among servers around it: a call that one of them fails has not failed yet;
 * 2. the limiter around these, so that only requests take a slot, and a call gives its slot back
 *    while it waits to be retried; waiting for a slot is no silence, so it cannot stall;
 * 3. retries within the cache, so that only what finally came is kept;
 * 4. the recording outside the cache, so that it is complete whatever was cached;
 * 5. the ledger outermost, so that it sees each call once and knows whether it was cached.
 *
 * @example
 * await using lm = connect({ baseUrl, model, cachePath: ".cache/replies.sqlite" });
 * @throws EspalierError `option-invalid`
 */
export function connect({
  concurrency = 8,
  retry = {},
  cachePath,
  recordPath,
  ledger,
  baseUrl: givenUrl,
  baseUrls: givenUrls,
  replicas: dealing = {},
  warmUp,
  examinationsFolder,
  ...client
}: ConnectOptions): Connection {
  const [first, ...others] = serversFrom({ baseUrl: givenUrl, baseUrls: givenUrls, ...client });
  const examinedOf = (urls: readonly string[]): readonly ServerExamination[] =>
    examinationsFolder === null
      ? []
      : keptExaminations({ baseUrls: urls, model: client.model }, examinationsFolder);
  const known = examinedOf([first, ...others]);
  // Replicas are one model to the cache: all are spoken to alike.
  const settings = { ...settingsFrom(known), ...client };
  const replicaOf = (url: string): Replica => {
    const lm = openAiCompatible({ ...settings, baseUrl: url });
    const [examined = known[0]] = examinedOf([url]);
    const isWarmed = warmUp ?? examined?.capabilities.prefixCaching.state === "supported";
    const streams = examined?.capabilities.streamingUsage.state === "supported";
    return {
      name: url,
      lm: isWarmed ? warmed(lm, { streams }) : lm,
      isHealthy: async () => {
        const info = await serverInfo({ ...client, baseUrl: url, stallTimeoutMs: 10_000 });
        return info.isHealthy !== false;
      },
    };
  };
  const one = replicaOf(first);
  const server = others.length === 0 ? one.lm : replicas([one, ...others.map(replicaOf)], dealing);
  const slots = typeof concurrency === "number" ? limiter(concurrency) : concurrency;
  const cache = cachePath === undefined ? undefined : diskCache(cachePath);
  let lm = retried(limited(server, slots), retry);
  if (cache !== undefined) lm = cached(lm, cache);
  if (recordPath !== undefined) lm = recorded(lm, recordPath);
  if (ledger !== undefined) lm = ledgered(lm, ledger);
  return {
    identity: lm.identity,
    doGenerate: (request, options) => lm.doGenerate(request, options),
    [Symbol.asyncDispose]: async () => cache?.[Symbol.asyncDispose](),
  };
}

/** At least one address, each once; a client of the user's own has its own. */
function serversFrom({
  baseUrl,
  baseUrls,
  client,
  ...others
}: Pick<ConnectOptions, "client" | "apiKey" | "headers" | "fetch"> & {
  readonly baseUrl: string | undefined;
  readonly baseUrls: readonly string[] | undefined;
}): readonly [string, ...string[]] {
  if (client !== undefined) {
    const { apiKey, headers, fetch } = others;
    const beside = Object.entries({ baseUrl, baseUrls, apiKey, headers, fetch })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => `\`${name}\``);
    if (beside.length === 0) return [client.baseURL];
    throw new EspalierError({
      code: "option-invalid",
      problem: "A connection has a client of its own, and options that this client brings along",
      expected: "`client` without `baseUrl`, `baseUrls`, `apiKey`, `headers` and `fetch`",
      got: beside.join(", "),
    });
  }
  const [first, ...more] = new Set(baseUrls ?? (baseUrl === undefined ? [] : [baseUrl]));
  if (first === undefined || (baseUrl !== undefined && baseUrl !== first)) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "A connection needs to know its server",
      expected: "`baseUrl`, `baseUrls` with at least one, or `client`",
      got: withoutCredentials(JSON.stringify({ baseUrl, baseUrls })),
    });
  }
  return [first, ...more];
}

/** Of servers that take different keys, those that all take. */
function settingsFrom(
  examined: readonly ServerExamination[],
): Pick<OpenAiCompatibleOptions, "dialect" | "thinkingTemplate"> {
  const [first] = examined;
  if (first === undefined) return {};
  const name = examined.find(({ thinkingTemplate }) => thinkingTemplate !== null)?.thinkingTemplate;
  return {
    dialect: examined.find(({ dialect }) => dialect === "openai")?.dialect ?? first.dialect,
    ...(name && { thinkingTemplate: thinkingTemplates[name] }),
  };
}
