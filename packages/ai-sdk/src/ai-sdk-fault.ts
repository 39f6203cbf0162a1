import type { ErrorCode } from "../../../src/errors/index.ts";
import {
  codeOfRefusal,
  EspalierError,
  LmError,
  messageOf,
  retryAfterIn,
} from "../../../src/errors/index.ts";
import { isObject } from "../../../src/internal/index.ts";

/** Turns what a provider throws into one of the `lm-...` errors. */
export function aiSdkFault(error: unknown, provider: string): EspalierError {
  if (EspalierError.isInstance(error)) return error;
  const { statusCode: status, responseBody: body, responseHeaders } = partsOf(error);
  const text = messageOf(error);
  const retryAfterMs = retryAfterIn(responseHeaders);
  return new LmError({
    code: codeOf(error, status, `${text} ${body ?? ""}`),
    problem: `The provider \`${provider}\` returned no reply`,
    got: text.slice(0, 1_000),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(body === undefined ? {} : { body: body.slice(0, 2_000) }),
    cause: error,
  });
}

interface FaultParts {
  readonly statusCode?: number;
  readonly responseBody?: string;
  readonly responseHeaders?: Headers;
}

/** Of an `APICallError`, by its shape: it may come from any copy of the SDK. */
function partsOf(error: unknown): FaultParts {
  if (!isObject(error)) return {};
  const { statusCode, responseBody, responseHeaders } = error;
  return {
    ...(typeof statusCode === "number" && { statusCode }),
    ...(typeof responseBody === "string" && { responseBody }),
    ...(isObject(responseHeaders) && {
      responseHeaders: new Headers(responseHeaders as Record<string, string>),
    }),
  };
}

function codeOf(error: unknown, status: number | undefined, text: string): ErrorCode {
  const name = error instanceof Error ? error.name : "";
  // The call went through, and what came back is not what the provider's protocol says.
  if (unreadable.has(name) || (status !== undefined && status < 300)) return "lm-bad-envelope";
  if (status !== undefined) return codeOfRefusal(status, text);
  if (name === "AI_LoadAPIKeyError") return "lm-unauthorized";
  if (name === "AI_NoSuchModelError") return "lm-not-found";
  if (name === "AI_UnsupportedFunctionalityError") return "lm-unsupported";
  const { isRetryable } = isObject(error) ? error : {};
  if (name === "AI_APICallError")
    return isRetryable === true ? "lm-unreachable" : "lm-request-refused";
  if (error instanceof TypeError || isNetworkError(error)) return "lm-unreachable";
  // An error inside of a stream is the provider's own object.
  return "lm-server-error";
}

const unreadable: ReadonlySet<string> = new Set([
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
  "AI_NoContentGeneratedError",
]);

function isNetworkError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^E[A-Z]+$|^UND_/.test(String(error.code));
}
