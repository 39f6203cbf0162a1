import type { LmCallOptions, LanguageModel, LmReply } from "../../contract/index.ts";
import { LmError } from "../../errors/index.ts";
import type { Clock, RandomSource } from "../../internal/index.ts";
import { checkCount, checkMilliseconds, randomSource, systemClock } from "../../internal/index.ts";
import { trackShown } from "./track-shown.ts";

export interface RetryOptions {
  /**
   * How long calls go on asking a server that answers none of them, in milliseconds: long enough
   * for it to be restarted. It counts from the first fault since the last reply to any call; once
   * it is used up, further calls ask once. 0: every call asks once. @default 600_000
   */
  readonly patienceMs?: number;
  /**
   * Maximum requests of a call, including the first. @default 12, counting a request only if the
   * server has answered another call since the one before
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
  /** Since the first fault after the last reply to any call. */
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
    readonly onRetry?: LmCallOptions["onRetry"] | undefined;
    /** Milliseconds left; a pause that would take as long is not begun. */
    readonly timeLeftMs?: (() => number) | undefined;
  },
) => Promise<TReply>;

/**
 * The single retry policy for every kind of model; see `withRetry`.
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
  if (attempts !== undefined) checkCount("attempts", attempts);
  checkMilliseconds("baseDelayMs", baseDelayMs);
  checkMilliseconds("maxDelayMs", maxDelayMs);
  for (const [option, limitMs] of Object.entries({ patienceMs, maxRetryAfterMs })) {
    if (limitMs !== Number.POSITIVE_INFINITY) checkMilliseconds(option, limitMs);
  }
  const drawnMs = (attempt: number): number =>
    random.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));

  const absence = serverAbsence(clock, patienceMs);
  return async (ask, { signal, isShown = () => false, onRetry, timeLeftMs }) => {
    let begunAtMs: number | undefined;
    let attemptsBeside = 1;
    let repliesBefore = absence.replies;
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await ask();
        absence.noteReply();
        return reply;
      } catch (error) {
        if (!LmError.isInstance(error) || !error.isRetryable) throw error;
        begunAtMs ??= clock.now();
        const waitedMs = Math.max(absence.noteFault(), clock.now() - begunAtMs);
        if (attempt > 1 && absence.replies > repliesBefore) attemptsBeside++;
        repliesBefore = absence.replies;
        const isLast =
          attempts === undefined ? attemptsBeside >= maxAttemptsBeside : attempt >= attempts;
        if (isLast || waitedMs >= patienceMs || isShown()) throw error;
        const { retryAfterMs = 0 } = error;
        if (retryAfterMs > maxRetryAfterMs) {
          throw longWait(error, retryAfterMs, { maxMs: maxRetryAfterMs, fix: raiseLimit });
        }
        // The last request is sent when the patience ends, not before.
        const pauseMs = retryAfterMs + Math.min(drawnMs(attempt), patienceMs - waitedMs);
        const leftMs = timeLeftMs?.() ?? Number.POSITIVE_INFINITY;
        if (pauseMs >= leftMs) {
          throw retryAfterMs === 0
            ? error
            : longWait(error, retryAfterMs, { maxMs: leftMs, fix: giveTime });
        }
        onWait({ fault: error, waitedMs, patienceMs });
        await clock.sleep(pauseMs, signal);
        await onRetry?.(error);
      }
    }
  };
}

/** How long a server has answered no call at all. */
function serverAbsence(
  clock: Clock,
  patienceMs: number,
): {
  readonly replies: number;
  noteReply(): void;
  /** Returns the milliseconds since the first fault after the last reply. */
  noteFault(): number;
} {
  let replies = 0;
  let awaySinceMs: number | undefined;
  let lastFaultMs = 0;
  return {
    get replies() {
      return replies;
    },
    noteReply: () => {
      replies++;
      awaySinceMs = undefined;
    },
    noteFault: () => {
      const now = clock.now();
      // No call was made for as long: what was then says nothing about now.
      if (awaySinceMs === undefined || now - lastFaultMs > patienceMs) awaySinceMs = now;
      lastFaultMs = now;
      return now - awaySinceMs;
    },
  };
}

/** Enough for a server that fails every second request: it fails one call in 4,096. */
const maxAttemptsBeside = 12;

const raiseLimit = "Ask again later, or allow longer waits: `maxRetryAfterMs` in code.";
const giveTime = "Ask again later, or give the call more time.";

/** The fault, with a note that no call waits as long as the server asked. */
function longWait(
  error: LmError,
  askedMs: number,
  { maxMs, fix }: { readonly maxMs: number; readonly fix: string },
): LmError {
  const { report, code, status, retryAfterMs, body } = error;
  return new LmError({
    code,
    problem: `${report.problem}, and asked to wait ${seconds(askedMs)}`,
    expected: `a wait of at most ${seconds(maxMs)}`,
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

/**
 * Retries after a transient fault, with exponential pauses and full jitter: uniform between 0 and
 * the upper end, plus the delay that the server asked for. If that delay exceeds the limit or the
 * time that the caller has left, the call fails at once. A stream that has shown the caller a piece
 * is retried only if `onRestart` can take that piece back.
 *
 * @throws EspalierError `option-invalid`
 */
export function withRetry(lm: LanguageModel, options: RetryOptions = {}): LanguageModel {
  const retrying = retry(options);
  return {
    identity: lm.identity,
    doGenerate: async (request, options = {}) => {
      const { signal, onRetry, timeLeftMs } = options;
      const shown = trackShown(options);
      const ask = (): Promise<LmReply> => {
        shown.restart();
        return lm.doGenerate(request, shown.options);
      };
      return retrying(ask, { signal, isShown: () => shown.isFinal(), onRetry, timeLeftMs });
    },
  };
}
