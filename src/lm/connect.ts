import type { LanguageModel } from "../contract/index.ts";
import { EspalierError, LmError } from "../errors/index.ts";
import { withoutCredentials } from "../internal/index.ts";
import { cacheOnly, cached } from "./wrappers/cached.ts";
import { diskCache } from "./wrappers/disk-cache.ts";
import type { ServerExamination } from "./doctor/index.ts";
import { keptExaminations } from "./doctor/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { withLedger } from "./wrappers/with-ledger.ts";
import type { Limiter } from "./wrappers/with-limit.ts";
import { withLimit, limiter } from "./wrappers/with-limit.ts";
import type { OpenAiCompatibleOptions } from "./chat/openai-compatible.ts";
import { openAiCompatible } from "./chat/openai-compatible.ts";
import type { ReplicaOptions } from "./replicas/replicas.ts";
import { replicas } from "./replicas/replicas.ts";
import type { ServerList } from "./replicas/server-list.ts";
import type { Replica } from "./replicas/server-pool.ts";
import { withRetry } from "./wrappers/retry.ts";
import type { RetryOptions } from "./wrappers/retry.ts";
import { serverInfo } from "./client/server-info.ts";
import { thinkingTemplates } from "./chat/thinking-template.ts";
import { countersIn } from "./client/metrics-text.ts";
import type { ServerOptions } from "./client/server-connection.ts";
import { serverConnection } from "./client/server-connection.ts";

/** The wrappers between a language model and its callers. */
export interface WrapperOptions {
  /**
   * Maximum requests in flight at all servers together, not counting shadows; or the server's
   * limiter, if several models share one. What each of several servers gets of it is found from how
   * it answers.
   * @default 8
   */
  readonly concurrency?: number | Limiter;
  readonly retry?: RetryOptions;
  /** SQLite file, see `diskCache`. Absent: no cache. */
  readonly cachePath?: string;
  /**
   * Answers from the cache alone: a call that it lacks is not sent and rejects with
   * `lm-reply-missing`. Needs `cachePath`. @default false
   */
  readonly isCacheOnly?: boolean;
  readonly ledger?: Ledger;
}

/** Give `baseUrl`, `baseUrls` or `client`. */
export interface ConnectOptions extends WrapperOptions, Omit<OpenAiCompatibleOptions, "baseUrl"> {
  readonly baseUrl?: string;
  /** Servers that serve the same model, see `replicas`. */
  readonly baseUrls?: readonly string[];
  /**
   * Read again while calls are made: who is new joins, who is gone is drained. `baseUrls` are those
   * of the start. Absent: the servers stay.
   */
  readonly serverList?: ServerList;
  /** How calls are distributed among several servers, and how many each gets. */
  readonly replicas?: ReplicaOptions;
  /**
   * Folder with the findings of `espalier doctor` about the server, or about any of several. They
   * supply what is not given here: dialect, thinking template, whether schemas are sent, and
   * lengths of strings in them. The server itself is not asked; `null` reads nothing.
   * @default ".espalier/servers"
   */
  readonly examinationsFolder?: string | null;
}

/** A language model that holds a file open. */
export type Connection = LanguageModel & AsyncDisposable;

/**
 * A server with all its wrappers, in the only order that works, from the inside out:
 *
 * 1. the choice among servers is next to the clients, since a call that fails on one server has not
 *    failed yet;
 * 2. the limiter surrounds it, so that only requests take a slot: a call frees its slot while it
 *    waits for a retry, and waiting for a slot is not silence, so it cannot stall;
 * 3. retries are inside the cache, so that only the final reply is kept;
 * 4. the ledger is outermost, so that it sees each call once and knows whether it was cached.
 *
 * @example
 * await using lm = connect({ baseUrl, model, cachePath: ".cache/replies.sqlite" });
 * @throws EspalierError `option-invalid`
 */
export function connect({
  concurrency = 8,
  retry,
  cachePath,
  isCacheOnly,
  ledger,
  baseUrl: givenUrl,
  baseUrls: givenUrls,
  serverList,
  replicas: dealing = {},
  examinationsFolder,
  ...client
}: ConnectOptions): Connection {
  const [first, ...others] = serversFrom({ baseUrl: givenUrl, baseUrls: givenUrls, ...client });
  const known =
    examinationsFolder === null
      ? []
      : keptExaminations({ baseUrls: [first, ...others], model: client.model }, examinationsFolder);
  // To the cache, replicas are one model: all of them get the same requests.
  const settings = { ...settingsFrom(known), ...client };
  const replicaOf = (url: string): Replica => ({
    name: url,
    lm: openAiCompatible({ ...settings, baseUrl: url }),
    isHealthy: async () => {
      const info = await serverInfo({ ...client, baseUrl: url, stallTimeoutMs: 10_000 });
      return info.isHealthy !== false;
    },
    waiting: waitingRequests({ ...client, baseUrl: url }),
  });
  const one = replicaOf(first);
  const server =
    others.length === 0 && serverList === undefined
      ? one.lm
      : replicas(
          [one, ...others.map(replicaOf)],
          { ...(typeof concurrency === "number" && { maxPerServer: concurrency }), ...dealing },
          serverList && { names: () => serverList.read(), replicaOf },
        );
  return wrapped(server, { concurrency, retry, cachePath, isCacheOnly, ledger });
}

/**
 * A language model with its wrappers, in the only order that works, see `connect`.
 *
 * @throws EspalierError `option-invalid`
 */
export function wrapped(
  inner: LanguageModel,
  {
    concurrency = 8,
    retry = {},
    cachePath,
    isCacheOnly = false,
    ledger,
  }: { readonly [Name in keyof WrapperOptions]: WrapperOptions[Name] | undefined },
): Connection {
  const slots = typeof concurrency === "number" ? limiter(concurrency) : concurrency;
  if (isCacheOnly && cachePath === undefined) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "`isCacheOnly` needs a cache to answer from",
      expected: "`cachePath`",
      got: "none",
    });
  }
  const cache = cachePath === undefined ? undefined : diskCache(cachePath);
  let lm = isCacheOnly
    ? cacheOnly(inner.identity, notCached)
    : withRetry(withLimit(inner, slots), retry);
  if (cache !== undefined) lm = cached(lm, cache);
  if (ledger !== undefined) lm = withLedger(lm, ledger);
  return {
    identity: lm.identity,
    doGenerate: (request, options) => lm.doGenerate(request, options),
    [Symbol.asyncDispose]: async () => cache?.[Symbol.asyncDispose](),
  };
}

/** At least one address, without duplicates; a user's own client brings its own address. */
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
      problem: "`client` cannot be combined with options that it already sets",
      expected: "`client` without `baseUrl`, `baseUrls`, `apiKey`, `headers` and `fetch`",
      got: beside.join(", "),
    });
  }
  const [first, ...more] = new Set(baseUrls ?? (baseUrl === undefined ? [] : [baseUrl]));
  if (first === undefined || (baseUrl !== undefined && baseUrl !== first)) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "A connection needs a server",
      expected: "`baseUrl`, at least one in `baseUrls`, or `client`",
      got: withoutCredentials(JSON.stringify({ baseUrl, baseUrls })),
    });
  }
  return [first, ...more];
}

const notCached = {
  problem: "The cache holds no reply to this call, and only the cache may answer",
  fix: "Make the call once with the server, to record its reply.",
};

/** If the servers accept different keys, uses those that all of them accept. */
function settingsFrom(
  examined: readonly ServerExamination[],
): Pick<OpenAiCompatibleOptions, "dialect" | "thinkingTemplate" | "boundedStrings" | "schemas"> {
  const [first] = examined;
  if (first === undefined) return {};
  const name = examined.find(({ thinkingTemplate }) => thinkingTemplate !== null)?.thinkingTemplate;
  return {
    boundedStrings: examined.every(
      ({ capabilities }) => capabilities.boundedStrings.state === "supported",
    ),
    schemas: examined.every(({ capabilities }) => capabilities.jsonSchema.state !== "unsupported"),
    dialect: examined.find(({ dialect }) => dialect === "openai")?.dialect ?? first.dialect,
    ...(name && { thinkingTemplate: thinkingTemplates[name] }),
  };
}

/**
 * Asks how many requests wait in a server's own queue, as vLLM's `/metrics` tells; those of its
 * other clients count as well. `null` if the server does not tell.
 *
 * @throws LmError where the server does not answer
 */
export function waitingRequests(
  server: ServerOptions,
): (signal?: AbortSignal) => Promise<number | null> {
  const connection = serverConnection({ ...server, stallTimeoutMs: 5_000 });
  const url = `${server.baseUrl.replace(/\/v1\/?$/, "")}/metrics`;
  return async (signal) => {
    try {
      const text = await connection.text(url, { signal });
      return countersIn(text).get("num_requests_waiting") ?? null;
    } catch (error) {
      if (LmError.isInstance(error) && !error.isRetryable) return null;
      throw error;
    }
  };
}
