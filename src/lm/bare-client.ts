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
export function bareClient({ baseUrl, apiKey, headers, fetch }: BareClientOptions): BareClient {
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

interface KeptHeaders {
  readonly headers: Built["req"]["headers"];
  readonly plain: Record<string, string>;
}

/** Three methods are replaced, and one is added; all but the last are for the CPU time of a call. */
export class BareClient extends OpenAI {
  readonly #fetch: Fetch;
  readonly #headersByMethod = new Map<string, KeptHeaders>();
  readonly #urls = new Map<string, string>();

  constructor(fetch: Fetch, options: ClientOptions) {
    super({ ...options, fetch });
    this.#fetch = fetch;
  }

  /**
   * The text of a reply, whatever it is. Differs from `post(...).asResponse()`, which does much for its log
   * and for what is switched off here.
   */
  async exchange(options: Options): Promise<string> {
    const { plain } = await this.#headersOf(options);
    const response = await this.#fetch(this.#urlOf(options.path), {
      method: options.method,
      headers: plain,
      ...sent(options),
    });
    const text = await response.text();
    if (response.ok) return text;
    const error = jsonIn(text);
    throw this.makeStatusError(
      response.status,
      error as object,
      error === undefined ? text : undefined,
      response.headers,
    );
  }

  override async buildRequest(options: Options): Promise<Built> {
    const { headers } = await this.#headersOf(options);
    const req = { method: options.method, headers, ...sent(options) };
    return { req, url: this.#urlOf(options.path), timeout: 0 };
  }

  /** Headers are the same for each request of a method, so they are built once. */
  async #headersOf(options: Options): Promise<KeptHeaders> {
    const kept = this.#headersByMethod.get(options.method);
    if (kept !== undefined) return kept;
    const { headers } = (await super.buildRequest(options)).req;
    const made = { headers, plain: Object.fromEntries(headers) };
    this.#headersByMethod.set(options.method, made);
    return made;
  }

  #urlOf(path: string): string {
    const kept = this.#urls.get(path) ?? this.buildURL(path, undefined);
    this.#urls.set(path, kept);
    return kept;
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

function sent({ body, signal }: Options): Pick<RequestInit, "body" | "signal"> {
  return {
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
