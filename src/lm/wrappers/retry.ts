import { LmError } from "../../errors/index.ts";
import type { Clock, RandomSource } from "../../internal/index.ts";
import { checkCount, checkMilliseconds, randomSource, systemClock } from "../../internal/index.ts";

export interface RetryOptions {
  /**
   * How long a call goes on asking after its first fault, in milliseconds: long enough for a server
   * to be restarted. 0 asks once. @default 600_000
   */
  readonly patienceMs?: number;
  /**
   * Maximum requests of a call, including the first. @default 12 once other calls have succeeded
   * since its first fault, since the server is then there; no limit before
   */
  readonly attempts?: number;
  /** Upper end of the first pause, in milliseconds; it doubles with each attempt. @default 250 */
  readonly baseDelayMs?: number;
  /** Upper end of every drawn pause, in milliseconds. @default 30_000 */
  readonly maxDelayMs?: number;
  /**
   * Longest wait that the server may ask for (`Retry-After`), in milliseconds; the drawn pause is
   * added to it. A call fails at once if the server asks for more. @default 60_000
   */
  readonly maxRetryAfterMs?: number;
  /** Called before every pause. */
  readonly onWait?: (wait: RetryWait) => void;
  /** Draws the pauses; replies do not depend on it. */
  readonly random?: RandomSource;
  readonly clock?: Clock;
}

/** A call that waits to be sent again. */
export interface RetryWait {
  readonly fault: LmError;
  /** Since the call's first fault. */
  readonly waitedMs: number;
  readonly patienceMs: number;
}

/** Retries until a reply arrives or the patience is used up; then rejects with the last fault. */
export type Retry = <TReply>(
  ask: () => Promise<TReply>,
  options: {
    /** Ends a pause; the caller must abort the request in flight itself. */
    readonly signal?: AbortSignal | undefined;
    /** Whether output shown from the failed attempt forbids another one. */
    readonly isShown?: () => boolean;
    /** Called before every request except the first. */
    readonly onRetry?: (() => void) | undefined;
    /** Milliseconds left; a pause that would take as long is not begun. */
    readonly timeLeftMs?: (() => number) | undefined;
  },
) => Promise<TReply>;

/**
 * The single retry policy for every kind of model; see `retried`.
 *
 * @throws EspalierError `option-invalid`
 */
export function retry({
  patienceMs = 600_000,
  attempts,
  onWait = () => {},
  baseDelayMs = 250,
  maxDelayMs = 30_000,
  maxRetryAfterMs = 60_000,
  random = randomSource(0, "lm-retry"),
  clock = systemClock,
}: RetryOptions): Retry {
  if (patienceMs !== Number.POSITIVE_INFINITY) checkMilliseconds("patienceMs", patienceMs);
  if (attempts !== undefined) checkCount("attempts", attempts);
  checkMilliseconds("baseDelayMs", baseDelayMs);
  checkMilliseconds("maxDelayMs", maxDelayMs);
  if (maxRetryAfterMs !== Number.POSITIVE_INFINITY) {
    checkMilliseconds("maxRetryAfterMs", maxRetryAfterMs);
  }
  const drawnMs = (attempt: number): number =>
    random.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));

  let replies = 0;
  return async (ask, { signal, isShown = () => false, onRetry, timeLeftMs }) => {
    let first: { readonly atMs: number; readonly replies: number } | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await ask();
        replies++;
        return reply;
      } catch (error) {
        first ??= { atMs: clock.now(), replies };
        const waitedMs = clock.now() - first.atMs;
        const most = attempts ?? (replies > first.replies ? attemptsBesideReplies : Infinity);
        const isFinal = attempt >= most || waitedMs >= patienceMs || isShown();
        if (isFinal || !LmError.isInstance(error) || !error.isRetryable) throw error;
        const { retryAfterMs = 0 } = error;
        if (retryAfterMs > maxRetryAfterMs) {
          throw longWait(error, retryAfterMs, { mostMs: maxRetryAfterMs, fix: raiseLimit });
        }
        // The last request is sent when the patience ends, not before.
        const pauseMs = retryAfterMs + Math.min(drawnMs(attempt), patienceMs - waitedMs);
        const leftMs = timeLeftMs?.() ?? Number.POSITIVE_INFINITY;
        if (pauseMs >= leftMs) {
          throw retryAfterMs === 0
            ? error
            : longWait(error, retryAfterMs, { mostMs: leftMs, fix: giveTime });
        }
        onWait({ fault: error, waitedMs, patienceMs });
        await clock.sleep(pauseMs, signal);
        onRetry?.();
      }
    }
  };
}

/** Enough for a server that fails every second request: it fails one call in 4,096. */
const attemptsBesideReplies = 12;

const raiseLimit =
  "Ask again later, or allow longer waits: `maxRetryAfterMs` in code, `--max-retry-after` on the command line.";
const giveTime = "Ask again later, or give the call more time.";

/** The fault, with a note that nobody waits as long as the server asked. */
function longWait(
  error: LmError,
  askedMs: number,
  { mostMs, fix }: { readonly mostMs: number; readonly fix: string },
): LmError {
  const { report, code, status, retryAfterMs, body } = error;
  return new LmError({
    code,
    problem: `${report.problem}, and asked to wait ${seconds(askedMs)}`,
    expected: `a wait of at most ${seconds(mostMs)}`,
    ...(report.got !== undefined && { got: report.got }),
    ...(report.where !== undefined && { where: report.where }),
    fix,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(body !== undefined && { body }),
    cause: error,
  });
}

function seconds(milliseconds: number): string {
  return `${Math.max(0, Math.round(milliseconds / 100) / 10)} s`;
}
