import {
  codeOfRefusal,
  declinedReply,
  EspalierError,
  LmError,
  messageOf,
} from "../errors/index.ts";
import type { ErrorCode } from "../errors/index.ts";
import { foreignJson } from "../internal/index.ts";

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
  const text = masked(textOf(error));
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
function textOf(error: unknown): string {
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
