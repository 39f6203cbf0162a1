/** How many calls one server may have in flight, found from how it answers. */
export interface CallLimit {
  /** At least 1. */
  readonly maxCalls: number;
  /** Mean time of recent calls for one unit of work, in milliseconds; absent before the first. */
  readonly pace: number | undefined;
  /** @param call.isFull whether the limit kept calls back while this one was in flight */
  answered(call: AnsweredCall): void;
  /** The server refused a call because it has too many. */
  refused(startedMs: number, nowMs: number): void;
  /** The server says how many requests wait in its queue. */
  queueSeen(waiting: number, nowMs: number): void;
  /** The server was away: what was found no longer counts for much. */
  restart(): void;
}

export interface AnsweredCall {
  readonly startedMs: number;
  readonly endedMs: number;
  /** Makes calls comparable: grows with the tokens of the reply. */
  readonly work: number;
  readonly isFull: boolean;
}

/**
 * Additive increase, multiplicative decrease, as TCP's congestion control (Chiu and Jain, 1989).
 * Grows only while it is used up: by one with each reply at first (slow start, which doubles it
 * about once per latency), after the first decrease by one per latency. It shrinks
 *
 * - by half, when the server refuses a call with 429 or 503;
 * - by what waits in the server's queue, all but a few, between a tenth and a half, where the
 *   server tells;
 * - elsewhere by half or more, when calls in flight over the square of their latency (the "power"
 *   of Kleinrock, 1979) has fallen below 0.6 of its best: more calls in flight then only wait
 *   longer.
 *
 * After each decrease, calls that began before it say nothing.
 */
export function callLimit({
  first,
  most,
}: {
  readonly first: number;
  readonly most: number;
}): CallLimit {
  const start = Math.min(first, most);
  let limit = start;
  let slowStartEnd = most;
  let cutAtMs = Number.NEGATIVE_INFINITY;
  let pace: number | undefined;
  let latencyMs = 0;
  let tellsQueue = false;
  let window: number[] = [];
  /** When the window began. */
  let windowLimit = start;
  let best = { power: 0, limit: 0 };

  const cut = (nowMs: number, to: number): void => {
    limit = Math.max(1, to);
    slowStartEnd = limit;
    cutAtMs = nowMs;
    window = [];
    best = { power: 0, limit: 0 };
  };
  const judgeWindow = (nowMs: number): void => {
    const median = window.toSorted((left, right) => left - right)[window.length >> 1] ?? 0;
    window = [];
    const power = windowLimit / Math.max(median, 1e-6) ** 2;
    if (power >= best.power) best = { power, limit: windowLimit };
    else if (power < minPower * best.power && windowLimit > best.limit) {
      cut(nowMs, Math.min(limit / 2, best.limit));
    }
  };

  return {
    get maxCalls() {
      return Math.floor(limit);
    },
    get pace() {
      return pace;
    },
    answered: ({ startedMs, endedMs, work, isFull }) => {
      const tookMs = endedMs - startedMs;
      pace = blended(pace, tookMs / work);
      latencyMs = blended(latencyMs || undefined, tookMs);
      if (startedMs < cutAtMs || !isFull) return;
      if (window.length === 0) windowLimit = limit;
      limit = Math.min(most, limit + (limit < slowStartEnd ? 1 : 1 / limit));
      if (tellsQueue) return;
      window.push(tookMs / work);
      if (window.length >= Math.max(minWindow, windowLimit)) judgeWindow(endedMs);
    },
    refused: (startedMs, nowMs) => {
      if (startedMs >= cutAtMs) cut(nowMs, limit / 2);
    },
    queueSeen: (waiting, nowMs) => {
      tellsQueue = true;
      // A short queue keeps the server busy while replies and further calls are on their way.
      const tolerated = Math.max(2, limit / 8);
      if (waiting <= tolerated || nowMs - cutAtMs < latencyMs) return;
      cut(nowMs, Math.min(0.9 * limit, Math.max(limit / 2, limit - waiting + tolerated)));
    },
    restart: () => {
      slowStartEnd = Math.max(1, limit / 2);
      limit = Math.min(limit, start);
      window = [];
      best = { power: 0, limit: 0 };
    },
  };
}

/** A limit that never binds. */
export function noLimit(): CallLimit {
  const found = callLimit({ first: 1, most: 1 });
  return {
    maxCalls: Number.POSITIVE_INFINITY,
    get pace() {
      return found.pace;
    },
    answered: (call) => found.answered({ ...call, isFull: false }),
    refused: () => {},
    queueSeen: () => {},
    restart: () => {},
  };
}

const minWindow = 8;
const minPower = 0.6;

function blended(before: number | undefined, now: number): number {
  return before === undefined ? now : 0.9 * before + 0.1 * now;
}
