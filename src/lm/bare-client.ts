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
  return new WholeErrorClient({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...headers },
    fetch,
    maxRetries: 0,
    timeout: 2_147_483_647,
    logLevel: "off",
  });
}

/** Keeps the whole error body: the client keeps `body.error` only, and vLLM has two shapes. */
class WholeErrorClient extends OpenAI {
  protected override makeStatusError(
    status: number,
    error: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    return new APIError(status, error ?? { message }, message, headers);
  }
}
