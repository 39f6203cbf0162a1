import type { ErrorCode } from "./error-codes.ts";

/** The code of a model server's refusal, by its HTTP status and what it says. */
export function codeOfRefusal(status: number, message: string): ErrorCode {
  if (status === 400 && contextOverflow.test(message)) return "lm-context-overflow";
  if (status === 401 || status === 403) return "lm-unauthorized";
  if (status === 404 || status < 400) return "lm-not-found";
  if (status === 408 || status === 425 || status === 429) return "lm-rate-limited";
  if (status >= 502 && status <= 504) return "lm-unavailable";
  if (status >= 500) return "lm-server-error";
  return "lm-request-refused";
}

// vLLM has three phrasings, the last for a prompt that fills the context and leaves no token for a
// reply; other servers have their own.
const contextOverflow =
  /context[ _-]?(length|window|size)|maximum model length|max_model_len|prompt is too long|max_tokens must be at least 1, got (0|-\d+)/i;

/** `Retry-After` in milliseconds: seconds, or a date relative to the server's own clock. */
export function retryAfterIn(headers: Headers | undefined): number | undefined {
  const wish = headers?.get("retry-after");
  if (!wish) return undefined;
  const seconds = Number(wish);
  const milliseconds = Number.isNaN(seconds)
    ? Date.parse(wish) - Date.parse(headers?.get("date") ?? "")
    : seconds * 1_000;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
