import type { EspalierErrorOptions } from "./espalier-error.ts";
import { EspalierError } from "./espalier-error.ts";

export interface LmErrorOptions extends EspalierErrorOptions {
  /** HTTP status, when the server answered at all. */
  readonly status?: number;
  /** The server's own wish (`Retry-After`). */
  readonly retryAfterMs?: number;
  /** Start of the body, for a person to read. */
  readonly body?: string;
}

/** A call to a server that brought no usable envelope. */
export class LmError extends EspalierError {
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly body: string | undefined;

  constructor({ status, retryAfterMs, body, ...options }: LmErrorOptions) {
    super(options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.body = body;
  }

  /**
   * Asking the same server again may help; false for a refusal, which would be refused again, and for a
   * reply beyond the limit, which would cost as much again.
   */
  get isRetryable(): boolean {
    return this.kind === "infrastructure" && this.code !== "lm-reply-too-large";
  }

  static override isInstance(error: unknown): error is LmError {
    return EspalierError.isInstance(error) && error.code.startsWith("lm-");
  }
}
