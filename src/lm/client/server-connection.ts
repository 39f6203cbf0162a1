import type OpenAI from "openai";
import type { EmbeddingCreateParams } from "openai/resources/embeddings";
import { LmError } from "../../errors/index.ts";
import type { JsonObject } from "../../contract/index.ts";
import {
  bodyLimits,
  checkMilliseconds,
  defaultMaxReplyBytes,
  parseJson,
  withoutCredentials,
} from "../../internal/index.ts";
import type { ChatBody } from "./chat-body.ts";
import { httpTransport } from "./http-transport.ts";
import type { ReplyOrigin } from "./reply-origin.ts";
import { clientOrigin, replyOrigin } from "./reply-origin.ts";
import type { Fetch } from "./sdk-fetch.ts";
import { sdkFetch } from "./sdk-fetch.ts";
import { RefusedReply } from "./server-fault.ts";
import type { ExchangeOptions } from "./server-exchange.ts";
import { serverExchange } from "./server-exchange.ts";
import type { ServerReply } from "./server-reply.ts";
import { replyIn } from "./server-reply.ts";
import { notJson } from "./unreadable-body.ts";

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
   * Largest reply that is read, in bytes: a whole one, or all pieces of a streamed one together. A
   * larger one is dropped, its connection closed and the call failed. @default 67_108_864 (64 MiB)
   */
  readonly maxReplyBytes?: number;
  /** @default `node:http` with connections kept open */
  readonly fetch?: Fetch;
  /**
   * An `OpenAI` or `AzureOpenAI` instance that sends every request, used as it is: its base URL,
   * headers, credentials, `fetch` and query parameters hold. It retries nothing and follows no
   * redirect here, and replies are limited as without it; only the body of a refusal it reads whole
   * by itself.
   */
  readonly client?: OpenAI;
}

/** One server: sends JSON, brings JSON back, and turns every fault into an `LmError`. */
export interface ServerConnection {
  readonly origin: ReplyOrigin;
  /** A path is below the base URL; a whole URL is used as it is. */
  get(path: string, options?: ExchangeOptions): Promise<unknown>;
  /** A body that is not JSON, as it is. */
  text(path: string, options?: ExchangeOptions): Promise<string>;
  post(path: string, body: JsonObject, options?: ExchangeOptions): Promise<unknown>;
  models(options?: ExchangeOptions): Promise<unknown>;
  embeddings(body: EmbeddingCreateParams, options?: ExchangeOptions): Promise<unknown>;
  chat(body: ChatBody, options?: ExchangeOptions): Promise<unknown>;
  /**
   * Server-sent events, parsed; those that came together in one list. Ends where the stream does.
   */
  chatStream(body: ChatBody, options?: ExchangeOptions): AsyncGenerator<readonly unknown[]>;
}

/**
 * Every route goes through the openai SDK but one: chat to a server that we reach ourselves has a
 * transport of its own, see `httpTransport`.
 *
 * @throws EspalierError `option-invalid`, LmError `lm-not-found` for an address that is none
 */
export function serverConnection({
  baseUrl,
  apiKey,
  headers = {},
  stallTimeoutMs = 600_000,
  maxReplyBytes = defaultMaxReplyBytes,
  fetch,
  client,
}: ServerOptions): ServerConnection {
  const limits = bodyLimits(maxReplyBytes);
  checkMilliseconds("stallTimeoutMs", stallTimeoutMs, { least: 1 });
  const send = httpTransport(limits);
  const origin = client ? clientOrigin(client) : replyOrigin({ baseUrl, apiKey, headers });
  const options = { baseUrl: checkedUrl(baseUrl), apiKey, headers };
  let loading: Promise<OpenAI> | undefined;
  // The SDK takes longer to load than all the rest, and many a connection is never asked.
  const sdk = async (): Promise<OpenAI> =>
    client ??
    (loading ??= import("./sdk-client.ts").then(({ sdkClient }) =>
      sdkClient({ ...options, fetch: sdkFetch(send, limits, fetch) }),
    ));
  const requestOptions = {
    maxRetries: 0,
    ...(client && { fetchOptions: { redirect: "manual" as const } }),
  };

  /** A request of the SDK that is not sent before it is awaited. */
  const bySdk =
    (ask: (sdk: OpenAI, options: OpenAI.RequestOptions) => { asResponse(): Promise<Response> }) =>
    async (signal: AbortSignal): Promise<ServerReply> => {
      const asked = ask(await sdk(), { ...requestOptions, signal });
      return replyIn(await asked.asResponse(), limits);
    };

  let head: Promise<ChatHead> | undefined;
  const sendChat = (body: ChatBody) =>
    client !== undefined || fetch !== undefined
      ? bySdk((sdk, options) => sdk.chat.completions.create(body, options))
      : async (signal: AbortSignal): Promise<ServerReply> => {
          head ??= sdk().then(chatHead);
          const { url, headers } = await head;
          const reply = await send({
            url,
            method: "POST",
            headers,
            body: JSON.stringify(body),
            signal,
          });
          if (reply.status >= 200 && reply.status < 300) return reply;
          throw new RefusedReply(reply.status, reply.headers(), await reply.text());
        };

  const exchange = serverExchange({
    baseUrl,
    origin,
    stallTimeoutMs,
    maxReplyBytes,
    listModels: async () => {
      const ask = bySdk((sdk, options) => sdk.models.list(options));
      const reply = await ask(AbortSignal.timeout(5_000));
      return parsed(await reply.text(), "/models", origin);
    },
  });
  const json = async (
    path: string,
    ask: (signal: AbortSignal) => Promise<ServerReply>,
    options: ExchangeOptions | undefined,
  ): Promise<unknown> => parsed(await exchange.text(path, ask, options), path, origin);
  const getting = (path: string) => bySdk((sdk, options) => sdk.get(path, options));

  return {
    origin,
    // Bodies are parsed here: the SDK would hand on whatever is not JSON as text.
    get: (path, options) => json(path, getting(path), options),
    text: (path, options) => exchange.text(path, getting(path), options),
    post: (path, body, options) =>
      json(
        path,
        bySdk((sdk, given) => sdk.post(path, { ...given, body })),
        options,
      ),
    models: (options) =>
      json(
        "/models",
        bySdk((sdk, given) => sdk.models.list(given)),
        options,
      ),
    embeddings: (body, options) =>
      json(
        "/embeddings",
        bySdk((sdk, given) => sdk.embeddings.create(body, given)),
        options,
      ),
    chat: (body, options) => json(chatPath, sendChat(body), options),
    chatStream: (body, options) => exchange.events(chatPath, sendChat(body), options),
  };
}

const chatPath = "/chat/completions";

/** The same for each request: the SDK makes it once. */
interface ChatHead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function chatHead(sdk: OpenAI): Promise<ChatHead> {
  const { req, url } = await sdk.buildRequest({ method: "post", path: chatPath, body: {} });
  return { url, headers: Object.fromEntries(req.headers) };
}

function parsed(text: string, path: string, origin: ReplyOrigin): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw notJson(text, path, origin, error);
  }
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
