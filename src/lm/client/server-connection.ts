import { LmError } from "../../errors/index.ts";
import type { JsonObject } from "../../contract/index.ts";
import {
  BodyTooLarge,
  bodyLimits,
  defaultMaxReplyBytes,
  parseJson,
  withoutCredentials,
} from "../../internal/index.ts";
import type { BareClient } from "./bare-client.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { Fetch } from "./http-fetch.ts";
import { httpFetch } from "./http-fetch.ts";
import type { ReplyOrigin } from "./reply-origin.ts";
import { replyOrigin } from "./reply-origin.ts";
import { notJson, notStreamed } from "./unreadable-body.ts";
import { stallGuard } from "./stall-guard.ts";

export interface ServerOptions {
  /** Root of the OpenAI-compatible routes: `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. Absent: no `Authorization` header. */
  readonly apiKey?: string;
  /** Further headers for each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Longest silence tolerated, in milliseconds: until the whole reply has come, or between two
   * pieces of a streamed one, comments included. @default 600_000
   */
  readonly stallTimeoutMs?: number;
  /**
   * Largest reply that is read, in bytes: a whole one, or all pieces of a streamed one together. A larger
   * one is dropped, its connection closed and the call failed. @default 67_108_864 (64 MiB)
   */
  readonly maxReplyBytes?: number;
  /** @default `node:http` with connections kept open */
  readonly fetch?: Fetch;
}

interface ExchangeOptions {
  readonly signal?: AbortSignal | undefined;
}

/** One server: sends JSON, brings JSON back, and turns every fault into an `LmError`. */
export interface ServerConnection {
  readonly origin: ReplyOrigin;
  /** A path is below the base URL; a whole URL is used as it is. */
  get(path: string, options?: ExchangeOptions): Promise<unknown>;
  /** A body that is no JSON, as it is. */
  text(path: string, options?: ExchangeOptions): Promise<string>;
  post(path: string, body: JsonObject, options?: ExchangeOptions): Promise<unknown>;
  /** Server-sent events, parsed; those that came together in one list. Ends where the stream does. */
  stream(
    path: string,
    body: JsonObject,
    options?: ExchangeOptions,
  ): AsyncGenerator<readonly unknown[]>;
}

export function serverConnection({
  baseUrl,
  apiKey,
  headers = {},
  stallTimeoutMs = 600_000,
  maxReplyBytes = defaultMaxReplyBytes,
  fetch,
}: ServerOptions): ServerConnection {
  const limits = bodyLimits(maxReplyBytes);
  const options = {
    baseUrl: checkedUrl(baseUrl),
    apiKey,
    headers,
    fetch: fetch === undefined ? httpFetch(limits) : boundedFetch(fetch, limits),
  };
  let loading: Promise<BareClient> | undefined;
  // The client takes longer to load than all the rest, and many a connection is never asked.
  const loaded = (): Promise<BareClient> =>
    (loading ??= import("./bare-client.ts").then(({ bareClient }) => bareClient(options)));
  const origin = replyOrigin({ baseUrl, apiKey, headers });
  const faultContext = { baseUrl, origin, stallTimeoutMs, listModels };

  async function listModels(): Promise<unknown> {
    const client = await loaded();
    const signal = AbortSignal.timeout(5_000);
    const response = await client.respond({ method: "get", path: "/models", signal });
    return parsed(await response.text(), "/models", origin);
  }

  async function exchange(
    method: "get" | "post",
    path: string,
    body: JsonObject | undefined,
    { signal }: ExchangeOptions = {},
  ): Promise<string> {
    signal?.throwIfAborted();
    const client = await loaded();
    const guard = stallGuard(stallTimeoutMs, signal);
    try {
      const response = await client.respond({ method, path, body, signal: guard.signal });
      return await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      throw await client.faultOf(error, { ...faultContext, path, isStalled: guard.isStalled });
    } finally {
      guard.stop();
    }
  }

  async function* stream(
    path: string,
    body: JsonObject,
    { signal }: ExchangeOptions = {},
  ): AsyncGenerator<readonly unknown[]> {
    signal?.throwIfAborted();
    const client = await loaded();
    const guard = stallGuard(stallTimeoutMs, signal);
    let isWhole = false;
    try {
      const asked = { method: "post", path, body, signal: guard.signal } as const;
      const response = await client.respond(asked);
      if (!isEventStream(response))
        throw notStreamed(response.headers, await response.text(), origin);
      let received = 0;
      // A comment says as well as an event that the server is at it.
      const onBytes = (count: number): void => {
        guard.touch();
        received += count;
        if (received > maxReplyBytes) throw new BodyTooLarge(maxReplyBytes);
      };
      for await (const events of client.events(response, onBytes)) yield events;
      // An aborted stream ends without an error.
      guard.signal.throwIfAborted();
      isWhole = true;
    } catch (error) {
      signal?.throwIfAborted();
      throw await client.faultOf(error, { ...faultContext, path, isStalled: guard.isStalled });
    } finally {
      if (isWhole) guard.stop();
      else guard.abandon();
    }
  }

  return {
    origin,
    // Bodies are parsed here: the client would hand on whatever is not JSON as text.
    get: async (path, options) =>
      parsed(await exchange("get", path, undefined, options), path, origin),
    text: (path, options) => exchange("get", path, undefined, options),
    post: async (path, body, options) =>
      parsed(await exchange("post", path, body, options), path, origin),
    stream,
  };
}

function parsed(text: string, path: string, origin: ReplyOrigin): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw notJson(text, path, origin, error);
  }
}

function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

function checkedUrl(baseUrl: string): string {
  const protocol = URL.parse(baseUrl)?.protocol;
  if (protocol === "http:" || protocol === "https:") return baseUrl;
  throw new LmError({
    code: "lm-not-found",
    problem: "The base URL cannot be used",
    expected: "an address such as `http://127.0.0.1:8000/v1`",
    got: `\`${withoutCredentials(baseUrl)}\``,
  });
}
