import type OpenAI from "openai";
import type { BodyLimits } from "../../internal/index.ts";
import { foreignJson, tooDeep } from "../../internal/index.ts";
import type { HttpTransport } from "./http-transport.ts";
import type { ServerReply } from "./server-reply.ts";
import { replyIn } from "./server-reply.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The openai SDK for one server. It reads nothing from the environment and leaves retries and
 * timeouts to its callers: our ledger must count retries, and the stall guard measures silence.
 */
export async function sdkClient({
  baseUrl,
  apiKey,
  headers,
  send,
  limits,
  fetch,
}: {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly send: HttpTransport;
  readonly limits: BodyLimits;
  /** In place of `send`. */
  readonly fetch: Fetch | undefined;
}): Promise<OpenAI> {
  // It takes longer to load than everything else, and many connections are never used.
  const { default: OpenAI } = await import("openai");
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...headers },
    fetch: sdkFetch(send, limits, fetch),
    maxRetries: 0,
    timeout: longestTimeoutMs,
    logLevel: "off",
  });
}

/** The longest delay that a timer accepts. */
const longestTimeoutMs = 2 ** 31 - 1;

/**
 * The `fetch` of the openai SDK: our own transport, or the caller's `fetch`. The SDK reads the
 * whole body of a refusal, so its length and depth are limited here.
 */
function sdkFetch(send: HttpTransport, limits: BodyLimits, fetch: Fetch | undefined): Fetch {
  if (fetch !== undefined) {
    return async (input, init) => {
      const response = await fetch(input, init);
      return response.ok ? response : readableRefusal(replyIn(response, limits));
    };
  }
  return async (input, { method = "GET", headers, body, signal } = {}) => {
    const reply = await send({
      url: input instanceof Request ? input.url : String(input),
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === "string" ? body : undefined,
      signal,
    });
    if (reply.status < 200 || reply.status > 299) return readableRefusal(reply);
    const isEmpty = reply.status === 204 || reply.status === 205;
    return new Response(isEmpty ? null : await reply.text(), {
      status: reply.status,
      headers: reply.headers(),
    });
  };
}

async function readableRefusal(reply: ServerReply): Promise<Response> {
  const text = await reply.text();
  // `Response` accepts no status above 599.
  const status = Math.min(reply.status, 599);
  const body = status === 304 ? null : shallow(text);
  return new Response(body, { status, headers: reply.headers() });
}

/** The SDK quotes a body as JSON, which fails if it is nested too deeply. */
function shallow(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    return foreignJson(body) === tooDeep ? JSON.stringify({ message: tooDeep }) : text;
  } catch {
    return text;
  }
}
