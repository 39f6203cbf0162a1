/** A token bucket that refills evenly; full at first. */
export interface TokenBucket {
  /** Takes one token; `false` if there is none. */
  take(): boolean;
  /** Whole tokens in the bucket. */
  readonly left: number;
  /** Time until it holds one token, and until it is full. */
  readonly oneInMs: number;
  readonly fullInMs: number;
}

/** @param now in milliseconds, never going back */
export function tokenBucket({
  size,
  fillMs,
  now,
}: {
  readonly size: number;
  /** Time to fill an empty bucket. */
  readonly fillMs: number;
  readonly now: () => number;
}): TokenBucket {
  let level = size;
  let at = now();
  const filled = (): number => {
    const time = now();
    level = Math.min(size, level + ((time - at) * size) / fillMs);
    at = time;
    return level;
  };
  const timeTo = (wanted: number): number => (Math.max(0, wanted - filled()) * fillMs) / size;
  return {
    take: () => {
      // Sums of fractions may miss the whole number by a tiny amount.
      if (filled() < 1 - 1e-9) return false;
      level = Math.max(0, level - 1);
      return true;
    },
    get left() {
      return Math.floor(filled() + 1e-9);
    },
    get oneInMs() {
      return timeTo(1);
    },
    get fullInMs() {
      return timeTo(size);
    },
  };
}
