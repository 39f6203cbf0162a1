import type { Failure } from "../../errors/index.ts";
import { errorCodes } from "../../errors/index.ts";
import { ApiError } from "./api-error.ts";

/**
 * What a client is told of a failed run: the code and its sentence in the table of errors. The
 * message of the failure is for the operator's log, since it may quote addresses, prompts and
 * replies.
 *
 * @param retryAfterMs what the LM's server asked to wait; the client is asked the same, up to an
 *   hour
 */
export function apiErrorOf({ kind, code }: Failure, retryAfterMs?: number): ApiError {
  const snake = code.replaceAll("-", "_");
  const [, sentence] = errorCodes[code];
  if (code === "lm-context-overflow") {
    return new ApiError(400, "context_length_exceeded", sentence, { param: "messages" });
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
