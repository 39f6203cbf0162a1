import OpenAI, { APIError } from "openai";
import { Stream } from "openai/streaming";
import type { Fetch } from "./http-fetch.ts";

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
}

/**
 * What the `openai` client knows of the protocol, without what it does around a request: retries and
 * timeouts (both belong to whoever wraps it), log lines that nobody reads, what it would read from the
 * environment. Its own way to a response takes several times the CPU time.
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
  // They are the same for each request of a method.
  const headersByMethod = new Map<string, Readonly<Record<string, string>>>();
  const headersOf = async (request: BareRequest): Promise<Readonly<Record<string, string>>> => {
    const { req } = await client.buildRequest(request);
    const built = Object.fromEntries(req.headers);
    headersByMethod.set(request.method, built);
    return built;
  };
  return {
    respond: async (request) => {
      const { method, path, body, signal } = request;
      const response = await fetch(client.buildURL(path, undefined), {
        method,
        headers: headersByMethod.get(method) ?? (await headersOf(request)),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      if (response.ok) return response;
      throw statusError(response, await response.text());
    },
    // Whoever asked ends what is in flight, and no controller of the client's.
    events: (response) => Stream.fromSSEResponse(response, new AbortController(), client),
  };
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
