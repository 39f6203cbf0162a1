import type { JsonObject } from "../../contract/index.ts";
import { EspalierError, messageOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import {
  BodyTooLarge,
  boundedText,
  byteSize,
  checkHeaders,
  linkedAbort,
  mebibyte,
  parseJson,
  tlsAdvice,
} from "../../internal/index.ts";

export interface SearchExchangeOptions<TResult> {
  /** Parses a reply; throws `search-failed` for a fault that may be transient. */
  readonly read: (reply: unknown) => TResult;
  /** Removes secrets from the server's messages. */
  readonly masked: (text: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxReplyBytes: number;
  readonly attempts: number;
  readonly baseDelayMs: number;
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
}

export interface SearchQuestion {
  readonly url: URL;
  /** Makes it a POST. */
  readonly body?: JsonObject | undefined;
}

/**
 * Gets JSON from a URL, or posts JSON to it, and parses the reply; retries after transient faults.
 * Does not follow redirects: headers hold keys, and every reply is trusted.
 */
export function searchExchange<TResult>({
  read,
  masked,
  headers,
  timeoutMs,
  maxReplyBytes,
  attempts,
  baseDelayMs,
  fetch,
  clock,
}: SearchExchangeOptions<TResult>): (
  question: SearchQuestion,
  signal: AbortSignal | undefined,
) => Promise<TResult> {
  const once = async (
    { url, body: posted }: SearchQuestion,
    signal: AbortSignal | undefined,
  ): Promise<unknown> => {
    checkHeaders(headers, placeOf(url));
    const late = AbortSignal.timeout(timeoutMs);
    const either = linkedAbort([signal, late]);
    try {
      const asked = { signal: either.signal, redirect: "manual" } as const;
      const response = await fetch(url, {
        ...asked,
        ...(posted === undefined
          ? { headers }
          : {
              method: "POST",
              headers: { "content-type": "application/json", ...headers },
              body: JSON.stringify(posted),
            }),
      });
      if (isRedirect(response)) {
        await response.body?.cancel();
        throw redirectRefusal(url, response, masked);
      }
      const body = await textOf(response, maxReplyBytes);
      if (!response.ok) throw refusal(url, response.status, masked(body));
      return parsed(url, body, masked);
    } catch (error) {
      signal?.throwIfAborted();
      if (EspalierError.isInstance(error)) throw error;
      if (error instanceof BodyTooLarge) throw tooLarge(url, error);
      const reason = causeOf(error);
      const ofTls = tlsAdvice(reason, "the search server", "http://");
      if (ofTls !== undefined) {
        const got = masked(messageOf(reason)).trim();
        throw new EspalierError({ code: "search-refused", ...ofTls, got, where: placeOf(url) });
      }
      throw new EspalierError({
        code: "search-failed",
        problem: late.aborted
          ? `The search server did not reply within ${timeoutMs} ms`
          : `The search server could not be reached: ${masked(messageOf(reason))}`,
        where: placeOf(url),
      });
    } finally {
      either.release();
    }
  };

  return async (question, signal) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return read(await once(question, signal));
      } catch (error) {
        const mayPass =
          EspalierError.isInstance(error) &&
          error.kind === "infrastructure" &&
          !(error.cause instanceof BodyTooLarge);
        if (!mayPass || attempt >= attempts) throw error;
        await clock.sleep(baseDelayMs * 2 ** (attempt - 1), signal);
      }
    }
  };
}

function isRedirect({ status, type, redirected }: Response): boolean {
  return redirected || type === "opaqueredirect" || (status >= 300 && status < 400);
}

function redirectRefusal(
  url: URL,
  { headers, url: final }: Response,
  masked: (text: string) => string,
): EspalierError {
  const target = URL.parse(headers.get("location") ?? final, url.href);
  return new EspalierError({
    code: "search-refused",
    problem: "The search server redirected the request; redirects are not followed",
    where: placeOf(url),
    ...(target && { got: `a redirect to \`${masked(placeOf(target)).slice(0, 300)}\`` }),
    fix: "Set `url` to the redirect's target.",
  });
}

/** Counts bytes after decompression. */
async function textOf({ ok, body }: Response, maxReplyBytes: number): Promise<string> {
  if (body === null) return "";
  return ok
    ? boundedText(body, { maxBytes: maxReplyBytes })
    : boundedText(body, { maxBytes: Math.min(maxReplyBytes, mebibyte), atLimit: "cut" });
}

function tooLarge(url: URL, cause: BodyTooLarge): EspalierError {
  return new EspalierError({
    code: "search-failed",
    problem: "The search server's reply is too large",
    expected: `at most ${byteSize(cause.maxBytes)}, decompressed`,
    where: placeOf(url),
    fix: "Ask for fewer results, or raise `maxReplyBytes`.",
    cause,
  });
}

function refusal(url: URL, status: number, body: string): EspalierError {
  const mayPass = status >= 500 || [408, 425, 429].includes(status);
  const isLocked = status === 401 || status === 403;
  return new EspalierError({
    code: mayPass ? "search-failed" : "search-refused",
    problem: `The search server answered with status ${status}`,
    where: placeOf(url),
    ...(body.trim() === "" ? {} : { got: `\`${body.trim().slice(0, 300)}\`` }),
    ...(isLocked ? { fix: 'Set its key in `headers`, for example `{ "x-api-key": key }`.' } : {}),
  });
}

function parsed(url: URL, body: string, masked: (text: string) => string): unknown {
  try {
    return parseJson(body);
  } catch {
    throw new EspalierError({
      code: "search-failed",
      problem: "The search server's reply is not JSON",
      where: placeOf(url),
      got: body.trim() === "" ? "an empty body" : `\`${masked(body).slice(0, 120)}\``,
    });
  }
}

/** Without the query string, which may hold the user's question or a key. */
function placeOf({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** `fetch` says only "fetch failed"; the cause says why. */
function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}
