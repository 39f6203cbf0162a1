/** A bucket of so many that is filled again evenly; full at first. */
export interface TokenBucket {
  /** Takes one out; `false` where there is none. */
  take(): boolean;
  /** Whole ones in it. */
  readonly left: number;
  /** Until there is one, and until it is full. */
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
  /** From empty to full. */
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
      // Sums of fractions may miss the whole by a hair.
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
