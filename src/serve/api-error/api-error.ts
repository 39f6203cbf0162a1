import type { z } from "zod";

/** Statuses that the server answers with besides 200. */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 413
  | 415
  | 417
  | 421
  | 429
  | 431
  | 500
  | 503
  | 504;

/**
 * A refusal as a client reads it. Any client can read the message, so it must not reveal addresses,
 * files, prompts or keys.
 */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  /** In snake_case, stable. */
  readonly code: string;
  /** The part of the request that is at fault. */
  readonly param: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: ErrorStatus,
    code: string,
    message: string,
    {
      param = null,
      retryAfterSeconds,
    }: { readonly param?: string | null; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.param = param;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The same error about another part of the request. */
  about(param: string | null): ApiError {
    const { status, code, message, retryAfterSeconds } = this;
    const after = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return new ApiError(status, code, message, { param, ...after });
  }

  /** The body in the form of OpenAI's API. */
  get body(): {
    readonly error: {
      readonly message: string;
      readonly type: string;
      readonly param: string | null;
      readonly code: string;
    };
  } {
    const { message, status, param, code } = this;
    return { error: { message, type: errorType(status), param, code } };
  }
}

function errorType(status: ErrorStatus): string {
  if (status === 401) return "authentication_error";
  if (status === 404) return "not_found_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** A fault of the server itself, which says nothing of what happened. */
export function internalError(): ApiError {
  return new ApiError(500, "internal_error", "The server failed.");
}

/**
 * The first problem of a body, worded for the client.
 *
 * @param within where the parsed value is in the body, for example `messages[3]`
 */
export function invalidParameter({ issues: [issue] }: z.ZodError, within = ""): ApiError {
  const path = (issue?.path ?? []).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  const param = clipped(`${within}${path.join("")}`.replace(/^\./, ""), 100);
  const where = param === "" ? "The body" : `\`${param}\``;
  const problem = clipped(issue?.message ?? "invalid", 200);
  return new ApiError(400, "invalid_parameter", `${where}: ${problem}.`, {
    param: param === "" ? null : param,
  });
}

/** Issues quote the names of keys, and a client can send a megabyte of them. */
function clipped(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}...`;
}
