import OpenAI, { APIError } from "openai";
import { Stream } from "openai/streaming";
import type { EspalierError } from "../errors/index.ts";
import type { FaultContext } from "./fault-context.ts";
import type { Fetch } from "./http-fetch.ts";
import { serverFault } from "./server-fault.ts";

export interface BareClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
}

export interface BareRequest {
  readonly method: "get" | "post";
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** One request at a time, and nothing around it. */
export interface BareClient {
  /** Rejects with an `APIError` for a status that is none of success, and with what `fetch` throws. */
  respond(request: BareRequest): Promise<Response>;
  /** The events of a streamed response, parsed; ends at `[DONE]`. */
  events(response: Response): AsyncIterable<unknown>;
  /** What either of them threw, as one of the `lm-...` errors. */
  faultOf(error: unknown, context: FaultContext): Promise<EspalierError>;
}

/**
 * What the `openai` client knows of the protocol, without what it does around a request: retries and
 * timeouts (both belong to whoever wraps it), log lines, what it would read from the environment. Switched
 * off they still cost CPU time with each call.
 */
export function bareClient({ baseUrl, apiKey, headers, fetch }: BareClientOptions): BareClient {
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...headers },
    logLevel: "off",
  });
  const heads = new Map<string, RequestHead>();
  const headOf = async (request: BareRequest): Promise<RequestHead> => {
    const { req, url } = await client.buildRequest(request);
    const built = { url, headers: Object.fromEntries(req.headers) };
    heads.set(`${request.method} ${request.path}`, built);
    return built;
  };
  return {
    respond: async (request) => {
      const { method, path, body, signal } = request;
      const { url, headers } = heads.get(`${method} ${path}`) ?? (await headOf(request));
      const response = await fetch(url, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      if (response.ok) return response;
      throw statusError(response, await response.text());
    },
    // Whoever asked ends what is in flight, and no controller of the client's.
    events: (response) => Stream.fromSSEResponse(response, new AbortController(), client),
    faultOf: serverFault,
  };
}

/** The same for each request of a method to a path. */
interface RequestHead {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** Keeps the whole error body: the client keeps `body.error` only, and vLLM has two shapes. */
function statusError({ status, headers }: Response, text: string): APIError {
  let body: object | null = null;
  try {
    body = JSON.parse(text) as object | null;
  } catch {
    // Said below, as it came.
  }
  return new APIError(status, body ?? { message: text }, body === null ? text : undefined, headers);
}
