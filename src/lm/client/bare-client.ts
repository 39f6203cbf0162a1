import OpenAI, { APIError } from "openai";
import type { EspalierError } from "../../errors/index.ts";
import { foreignJson } from "../../internal/index.ts";
import type { FaultContext } from "./fault-context.ts";
import type { Fetch } from "./http-fetch.ts";
import { serverFault } from "./server-fault.ts";
import { serverSentEvents } from "./server-sent-events.ts";

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
  /**
   * The events of a streamed response, parsed; those that came together in one list. Ends at `[DONE]`.
   *
   * @param onBytes called with the number of bytes whenever some came, also where they hold no event; what
   *   it throws ends the stream
   */
  events(response: Response, onBytes: (count: number) => void): AsyncIterable<readonly unknown[]>;
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
    events: eventsOf,
    faultOf: serverFault,
  };
}

/** The same for each request of a method to a path. */
interface RequestHead {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** As the client reads them, which takes several turns of the event loop's queue for each. */
async function* eventsOf(
  { body, headers }: Response,
  onBytes: (count: number) => void,
): AsyncGenerator<readonly unknown[]> {
  for await (const together of serverSentEvents(body as AsyncIterable<Uint8Array>, onBytes)) {
    const events: unknown[] = [];
    let fault: { readonly error: unknown } | undefined;
    let isOver = false;
    for (const { name, data } of together) {
      isOver = data === "[DONE]";
      if (isOver) break;
      try {
        events.push(eventIn(name, data, headers));
      } catch (error) {
        fault = { error };
        break;
      }
    }
    // What came before a fault came.
    if (events.length > 0) yield events;
    if (fault !== undefined) throw fault.error;
    if (isOver) return;
  }
}

function eventIn(name: string, data: string, headers: Headers): unknown {
  const event = JSON.parse(data) as { readonly error?: object } | null;
  if (name === "error") throw apiError(undefined, event?.error ?? event ?? {}, undefined, headers);
  if (event?.error) throw apiError(undefined, event.error, undefined, headers);
  return event;
}

/** Keeps the whole error body: the client keeps `body.error` only, and vLLM has two shapes. */
function statusError({ status, headers }: Response, text: string): APIError {
  let body: object | null = null;
  try {
    body = JSON.parse(text) as object | null;
  } catch {
    // Said below, as it came.
  }
  return apiError(status, body ?? { message: text }, body === null ? text : undefined, headers);
}

/** The client quotes bodies as JSON, which throws for one that is nested too deeply. */
function apiError(
  status: number | undefined,
  body: object,
  message: string | undefined,
  headers: Headers,
): APIError {
  try {
    return new APIError(status, body, message, headers);
  } catch {
    return new APIError(status, { message: foreignJson(body) }, message, headers);
  }
}
