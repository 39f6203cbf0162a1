import OpenAI from "openai";
import type { Fetch } from "./sdk-fetch.ts";

export interface SdkClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
}

/**
 * The openai SDK for one server. It reads nothing from the environment and leaves retries and
 * timeouts to its callers: our ledger must count retries, and the stall guard measures silence.
 */
export function sdkClient({ baseUrl, apiKey, headers, fetch }: SdkClientOptions): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...(apiKey === undefined ? { authorization: null } : {}), ...headers },
    fetch,
    maxRetries: 0,
    timeout: longestTimeoutMs,
    logLevel: "off",
  });
}

/** The longest delay that a timer accepts. */
const longestTimeoutMs = 2 ** 31 - 1;
