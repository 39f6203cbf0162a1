import type { EspalierErrorOptions } from "./espalier-error.ts";
import { EspalierError } from "./espalier-error.ts";

export interface LmErrorOptions extends EspalierErrorOptions {
  /** HTTP status, when the server answered at all. */
  readonly status?: number;
  /** The delay that the server asked for (`Retry-After`). */
  readonly retryAfterMs?: number;
  /** The beginning of the body, for people. */
  readonly body?: string;
}

/** A call to a server that returned no usable envelope. */
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
   * Whether asking the same server again may help. False for a rejected request, which would be
   * rejected again, for a reply beyond the limit, which would cost as much again, and where no
   * server is asked.
   */
  get isRetryable(): boolean {
    const isFinal = this.code === "lm-reply-too-large" || this.code === "lm-reply-missing";
    return this.kind === "infrastructure" && !isFinal;
  }

  static override isInstance(error: unknown): error is LmError {
    return EspalierError.isInstance(error) && error.code.startsWith("lm-");
  }
}
