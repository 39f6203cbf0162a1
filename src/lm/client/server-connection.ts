import type OpenAI from "openai";
import type { EmbeddingCreateParams } from "openai/resources/embeddings";
import { LmError } from "../../errors/index.ts";
import type { JsonObject } from "../../contract/index.ts";
import {
  bodyLimits,
  checkHeaders,
  checkMilliseconds,
  defaultMaxReplyBytes,
  parseJson,
  wellFormed,
  withWholeEscapes,
  withoutCredentials,
} from "../../internal/index.ts";
import type { ChatBody } from "./chat-body.ts";
import { httpTransport } from "./http-transport.ts";
import type { ReplyOrigin } from "./reply-origin.ts";
import { clientOrigin, replyOrigin } from "./reply-origin.ts";
import { reportedError } from "./reply-values.ts";
import type { Fetch } from "./sdk-client.ts";
import { sdkClient } from "./sdk-client.ts";
import { RefusedReply } from "./server-fault.ts";
import type { ExchangeOptions } from "./server-exchange.ts";
import { serverExchange } from "./server-exchange.ts";
import type { ServerReply } from "./server-reply.ts";
import { replyIn } from "./server-reply.ts";
import { notJson } from "./unreadable-body.ts";

export interface ServerOptions {
  /** Root of the OpenAI-compatible routes: `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. Absent or empty: no `Authorization` header. */
  readonly apiKey?: string;
  /** Additional headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Longest silence tolerated, in milliseconds: until the whole reply has arrived, or between two
   * pieces of a streamed one, comments included. @default 600_000
   */
  readonly stallTimeoutMs?: number;
  /**
   * Largest reply accepted, in bytes: a whole one, or all pieces of a streamed one together. A
   * larger reply is dropped, its connection closed, and the call fails. @default 67_108_864 (64
   * MiB)
   */
  readonly maxReplyBytes?: number;
  /** @default `node:http` with connections kept open */
  readonly fetch?: Fetch;
  /**
   * An `OpenAI` or `AzureOpenAI` instance that sends every request, used unchanged: its base URL,
   * headers, credentials, `fetch` and query parameters apply. Here it never retries and never
   * follows a redirect. The usual reply limits apply, except that the client itself reads the whole
   * body of a refusal.
   */
  readonly client?: OpenAI;
}

/** One server: sends JSON, receives JSON, and turns every fault into an `LmError`. */
export interface ServerConnection {
  readonly origin: ReplyOrigin;
  /** A path is relative to the base URL; a whole URL is used unchanged. */
  get(path: string, options?: ExchangeOptions): Promise<unknown>;
  /** A body that is not JSON, unchanged. */
  text(path: string, options?: ExchangeOptions): Promise<string>;
  post(path: string, body: JsonObject, options?: ExchangeOptions): Promise<unknown>;
  models(options?: ExchangeOptions): Promise<unknown>;
  embeddings(body: EmbeddingCreateParams, options?: ExchangeOptions): Promise<unknown>;
  chat(body: ChatBody, options?: ExchangeOptions): Promise<unknown>;
  /**
   * Server-sent events, parsed; events that arrive together come in one list. Ends with the stream.
   */
  chatStream(body: ChatBody, options?: ExchangeOptions): AsyncGenerator<readonly unknown[]>;
}

/**
 * Every route goes through the openai SDK except one: chat on a server that we reach directly uses
 * our own transport, see `httpTransport`.
 *
 * @throws EspalierError `option-invalid`, LmError `lm-not-found` for an invalid address
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
  const key = apiKey?.trim() === "" ? undefined : apiKey;
  const options = { baseUrl: checkedUrl(baseUrl), apiKey: key, headers };
  let loading: Promise<OpenAI> | undefined;
  const sdk = async (): Promise<OpenAI> => {
    if (client !== undefined) return client;
    checkHeaders({ ...(key && { authorization: key }), ...headers }, origin.where);
    loading ??= sdkClient({ ...options, send, limits, fetch });
    return loading;
  };
  const requestOptions = {
    maxRetries: 0,
    ...(client && { fetchOptions: { redirect: "manual" as const } }),
  };

  /** An SDK request that is sent only when awaited. */
  const bySdk =
    (ask: (sdk: OpenAI, options: OpenAI.RequestOptions) => { asResponse(): Promise<Response> }) =>
    async (signal: AbortSignal): Promise<ServerReply> => {
      const asked = ask(await sdk(), { ...requestOptions, signal });
      return replyIn(await asked.asResponse(), limits, signal);
    };

  let head: Promise<ChatHead> | undefined;
  const sendChat = (body: ChatBody) =>
    client !== undefined || fetch !== undefined
      ? bySdk((sdk, options) => sdk.chat.completions.create(wellFormed(body), options))
      : async (signal: AbortSignal): Promise<ServerReply> => {
          head ??= sdk().then(chatHead);
          const { url, headers } = await head;
          const reply = await send({
            url,
            method: "POST",
            headers,
            body: withWholeEscapes(JSON.stringify(body)),
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
  ): Promise<unknown> => {
    const body = parsed(await exchange.text(path, ask, options), path, origin);
    const fault = reportedError(body);
    if (fault !== undefined) throw await exchange.fault(fault, path);
    return body;
  };
  const getting = (path: string) => bySdk((sdk, options) => sdk.get(path, options));

  return {
    origin,
    // Bodies are parsed here because the SDK would return anything that is not JSON as text.
    get: (path, options) => json(path, getting(path), options),
    text: (path, options) => exchange.text(path, getting(path), options),
    post: (path, body, options) =>
      json(
        path,
        bySdk((sdk, given) => sdk.post(path, { ...given, body: wellFormed(body) })),
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
        bySdk((sdk, given) => sdk.embeddings.create(wellFormed(body), given)),
        options,
      ),
    chat: (body, options) => json(chatPath, sendChat(body), options),
    chatStream: (body, options) => exchange.events(chatPath, sendChat(body), options),
  };
}

const chatPath = "/chat/completions";

/** Identical for every request: the SDK builds it once. */
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
    expected: "a URL such as `http://127.0.0.1:8000/v1`",
    got: `\`${withoutCredentials(baseUrl)}\``,
  });
}
