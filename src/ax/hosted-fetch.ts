import type { ErrorCode } from "../errors/index.ts";
import {
  codeOfRefusal,
  declinedReply,
  EspalierError,
  LmError,
  messageOf,
} from "../errors/index.ts";
import type { BodyLimits } from "../internal/index.ts";
import {
  BodyTooLarge,
  boundedText,
  byteSize,
  foreignJson,
  parseJson,
  tlsAdvice,
  withoutCredentials,
} from "../internal/index.ts";

type Fetch = typeof globalThis.fetch;

interface HostedFetchOptions {
  readonly provider: string;
  readonly limits: BodyLimits;
  /** Removes the key from the provider's texts. */
  readonly masked: (text: string) => string;
}

/**
 * The `fetch` that ax uses. On its own, ax reads bodies of any size and depth, and sends the key
 * along when it follows a redirect.
 */
export function hostedFetch(options: HostedFetchOptions): Fetch {
  return async (input, init) => {
    const response = await globalThis
      .fetch(input, { ...init, redirect: "manual" })
      .catch((error: unknown) => {
        throw untrusted(error, options) ?? error;
      });
    const { status, statusText, headers, body } = response;
    if (status >= 300 && status < 400) {
      await body?.cancel();
      throw redirected(response, options);
    }
    if (body === null) return response;
    if (response.ok && isEventStream(headers)) {
      return new Response(boundedStream(body, options), { status, statusText, headers });
    }
    const text = await textOf(response, body, options);
    if (!response.ok) return new Response(readableBody(text), { status, statusText, headers });
    return new Response(readableReply(text, options), { status, statusText, headers });
  };
}

/** A call is not repeated where the certificate is at fault. */
function untrusted(error: unknown, { provider }: HostedFetchOptions): LmError | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const ofTls = tlsAdvice(cause, `the provider \`${provider}\``, "http://");
  return ofTls && new LmError({ code: "lm-untrusted", ...ofTls, got: messageOf(cause).trim() });
}

function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

/** Passes a stream on as it arrives, up to the limit on replies. */
function boundedStream(
  body: NonNullable<Response["body"]>,
  { provider, limits: { maxReplyBytes } }: HostedFetchOptions,
): ReadableStream<Uint8Array> {
  let length = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      length += piece.length;
      if (length <= maxReplyBytes) controller.enqueue(piece);
      else controller.error(tooLarge(new BodyTooLarge(maxReplyBytes), provider));
    },
  });
  return body.pipeThrough(bounded as ReadableWritablePair<Uint8Array, Uint8Array>);
}

async function textOf(
  { ok }: Response,
  body: NonNullable<Response["body"]>,
  { provider, limits: { maxReplyBytes, maxErrorBytes } }: HostedFetchOptions,
): Promise<string> {
  try {
    return await (ok
      ? boundedText(body, { maxBytes: maxReplyBytes })
      : boundedText(body, { maxBytes: maxErrorBytes, atLimit: "cut" }));
  } catch (error) {
    throw error instanceof BodyTooLarge ? tooLarge(error, provider) : error;
  }
}

/**
 * A reply as ax can read it: ax fails on unparseable text, or quotes it whole, and rounds large
 * integers.
 */
function readableReply(text: string, { provider, masked }: HostedFetchOptions): string {
  try {
    return JSON.stringify(parseJson(text));
  } catch (error) {
    const shown = masked(text);
    throw new LmError({
      code: "lm-bad-envelope",
      problem: `The reply of the provider \`${provider}\` cannot be read`,
      expected: "JSON",
      got: text === "" ? "an empty body" : `${messageOf(error)}: \`${shown.slice(0, 120)}\``,
      body: shown.slice(0, 2_000),
    });
  }
}

/** ax serializes an error body to JSON again, which fails if the body is nested too deeply. */
function readableBody(text: string): string {
  try {
    parseJson(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

function tooLarge({ maxBytes }: BodyTooLarge, provider: string): LmError {
  return new LmError({
    code: "lm-reply-too-large",
    problem: `The reply of the provider \`${provider}\` is too large`,
    expected: `at most ${byteSize(maxBytes)}`,
    got: "more; the reply was dropped",
    fix: "Check what the provider sends, or raise `maxReplyBytes`.",
  });
}

function redirected(
  { status, headers }: Response,
  { provider, masked }: HostedFetchOptions,
): LmError {
  const location = headers.get("location");
  return new LmError({
    code: "lm-not-found",
    problem: `The provider \`${provider}\` redirects, and redirects are not followed`,
    got: `status ${status}`,
    status,
    fix:
      location === null
        ? "Check `apiUrl`."
        : `It redirects to \`${masked(withoutCredentials(location)).slice(0, 200)}\`: check \`apiUrl\`.`,
  });
}

/**
 * Turns what ax throws into one of the `lm-...` errors.
 *
 * @param masked removes the key from the provider's messages
 */
export function hostedFault(
  error: unknown,
  provider: string,
  masked: (text: string) => string,
): EspalierError {
  const thrownByFetch = originalOf(error);
  if (EspalierError.isInstance(thrownByFetch)) return thrownByFetch;
  if (isRefusal(error)) return declinedReply(error.refusalMessage, provider, error);
  const status = statusOf(error);
  const text = masked(faultText(error));
  const rawBody = bodyOf(error);
  const body = rawBody === undefined ? undefined : masked(rawBody);
  return new LmError({
    code: codeOf(error, status, `${text} ${body ?? ""}`),
    problem: `The provider \`${provider}\` returned no reply`,
    got: body === undefined ? text.slice(0, 1_000) : `${text.slice(0, 200)} ${body.slice(0, 800)}`,
    ...(status === undefined ? {} : { status }),
    ...(body === undefined ? {} : { body: body.slice(0, 2_000) }),
    cause: error,
  });
}

function codeOf(error: unknown, status: number | undefined, text: string): ErrorCode {
  if (status !== undefined) return codeOfRefusal(status, text);
  const name = nameOf(error);
  // Of 401 and 403, whose status ax keeps to itself.
  if (name === authenticationError) return codeOfRefusal(403, text);
  if (name === "AxAIServiceTimeoutError") return "lm-stalled";
  if (name === "AxAIServiceResponseError") return "lm-bad-envelope";
  if (name === "AxAIServiceNetworkError") {
    // ax reports an unparseable or too deeply nested body as a network error.
    return /JSON|token|call stack/i.test(text) ? "lm-bad-envelope" : "lm-unreachable";
  }
  // ax does not check the shape of a reply: it fails on an unexpected one, or throws its content.
  if (error instanceof TypeError || !(error instanceof Error)) return "lm-bad-envelope";
  // ax throws everything else before sending: it rejects the request itself.
  return "lm-request-refused";
}

/** ax builds messages from a reply's content, of any type and depth. */
function faultText(error: unknown): string {
  try {
    return messageOf(error);
  } catch {
    return "an error whose message is nested too deeply";
  }
}

function statusOf(error: unknown): number | undefined {
  return isStatusError(error) ? error.status : undefined;
}

const authenticationError = "AxAIServiceAuthenticationError";

function bodyOf(error: unknown): string | undefined {
  if (!isStatusError(error) && nameOf(error) !== authenticationError) return undefined;
  const { responseBody, context } = error as Omit<StatusError, "status">;
  const body = responseBody ?? context?.["responseBody"];
  return body === undefined ? undefined : foreignJson(body);
}

/** ax wraps what `fetch` throws. */
function originalOf(error: unknown): unknown {
  return error instanceof Error && "originalError" in error ? error.originalError : error;
}

interface Refusal extends Error {
  readonly refusalMessage: string;
}

function isRefusal(error: unknown): error is Refusal {
  return nameOf(error) === "AxAIRefusalError";
}

interface StatusError extends Error {
  readonly status: number;
  readonly responseBody?: unknown;
  readonly context?: Readonly<Record<string, unknown>>;
}

function isStatusError(error: unknown): error is StatusError {
  const name = nameOf(error);
  return name === "AxAIServiceStatusError" || name === "AxTokenLimitError";
}

/**
 * A service may come from another copy of ax: its classes differ from ours, but have the same
 * names.
 */
function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
