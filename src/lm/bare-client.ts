import type { ClientOptions } from "openai";
import OpenAI, { APIError } from "openai";
import type { Fetch } from "./http-fetch.ts";

export interface BareClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
}

/**
 * The `openai` client with everything of its own switched off: retries and timeouts (both belong to
 * whoever wraps it), logging, and what it would read from the environment.
 */
export function bareClient({ baseUrl, apiKey, headers, fetch }: BareClientOptions): OpenAI {
  return new BareClient(fetch, {
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...headers },
    maxRetries: 0,
    logLevel: "off",
  });
}

type Options = Parameters<OpenAI["buildRequest"]>[0];
type Built = Awaited<ReturnType<OpenAI["buildRequest"]>>;

/** Three methods are replaced; together the first two halve the CPU time of a call. */
class BareClient extends OpenAI {
  readonly #fetch: Fetch;
  readonly #headersByMethod = new Map<string, Built["req"]["headers"]>();

  constructor(fetch: Fetch, options: ClientOptions) {
    super({ ...options, fetch });
    this.#fetch = fetch;
  }

  /** Headers are the same for each request of a method, so they are built once. */
  override async buildRequest(options: Options): Promise<Built> {
    const { method, path, query, body, signal } = options;
    let headers = this.#headersByMethod.get(method);
    if (headers === undefined) {
      ({ headers } = (await super.buildRequest(options)).req);
      this.#headersByMethod.set(method, headers);
    }
    const req = {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    };
    return { req, url: this.buildURL(path, query as Record<string, unknown>), timeout: 0 };
  }

  /** No timer, and the caller's signal as it is: combining signals is dear. */
  override fetchWithTimeout(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    return this.#fetch(url, init);
  }

  /** Keeps the whole error body: the client keeps `body.error` only, and vLLM has two shapes. */
  protected override makeStatusError(
    status: number,
    error: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    return new APIError(status, error ?? { message }, message, headers);
  }
}
