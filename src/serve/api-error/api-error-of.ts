import type { Failure } from "../../errors/index.ts";
import { errorCodes } from "../../errors/index.ts";
import { ApiError } from "./api-error.ts";

/**
 * The client's view of a failed run: the code and its sentence in the table of errors. The
 * failure's message goes only to the operator's log, since it may quote addresses, prompts and
 * replies.
 *
 * @param retryAfterMs the wait that the LM's server asked for; the client is asked for the same, up
 *   to an hour
 */
export function apiErrorOf({ kind, code }: Failure, retryAfterMs?: number): ApiError {
  const snake = code.replaceAll("-", "_");
  const [, sentence] = errorCodes[code];
  if (code === "lm-context-overflow") {
    return new ApiError(400, "context_length_exceeded", sentence, { param: "messages" });
  }
  if (code === "lm-prompt-refused") {
    return new ApiError(400, "content_filter", sentence, { param: "messages" });
  }
  if (code === "input-invalid") return new ApiError(400, snake, sentence, { param: "messages" });
  if (kind === "infrastructure") {
    const retryAfterSeconds =
      retryAfterMs === undefined
        ? code === "lm-rate-limited"
          ? 10
          : 5
        : Math.min(Math.max(Math.ceil(retryAfterMs / 1_000), 1), longestRetryAfterSeconds);
    return new ApiError(503, snake, sentence, { retryAfterSeconds });
  }
  return new ApiError(500, snake, sentence);
}

const longestRetryAfterSeconds = 3_600;
