import { LmError, messageOf } from "../errors/index.ts";
import type { BodyLimits } from "../internal/index.ts";
import {
  BodyTooLarge,
  boundedText,
  byteSize,
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

/** Nobody asks again where the certificate is at fault. */
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
