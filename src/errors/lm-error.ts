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

/** Who was asked stopped in mid-reply by a fault of its own, and says so as the finish reason. */
export function gaveUp(who: "server" | "provider", reason: string): LmError {
  return new LmError({
    code: "lm-server-error",
    problem: `The ${who} gave up generating (finish reason \`${reason}\`)`,
  });
}

/**
 * Refuses a request for what an LM does not support.
 *
 * @param asked whether each feature that it lacks is asked for, by name
 * @param options.what the LM, as the subject of a sentence
 * @throws LmError `lm-unsupported`, naming every feature that is
 */
export function refuseUnsupported(
  asked: Readonly<Record<string, boolean>>,
  { what, fix }: { readonly what: string; readonly fix: string },
): void {
  const names = Object.entries(asked).flatMap(([name, isAsked]) =>
    isAsked ? [`\`${name}\``] : [],
  );
  if (names.length === 0) return;
  throw new LmError({
    code: "lm-unsupported",
    problem: `${what} does not support ${names.join(", ")}`,
    fix,
  });
}
