/**
 * How many tokens each key has used, by day. If `add` throws, the tokens are not counted and the
 * server logs it.
 */
export interface KeyUsage {
  /** @param day for example `2026-11-22` */
  tokensOn(day: string, key: string): number;
  add(day: string, key: string, tokens: number): void;
  /** Why counts cannot be stored now; `null` if they can. @default null */
  readonly problem?: string | null;
}

/** Counts of the latest day only, in this process. */
export function keyUsage(): KeyUsage {
  let last = "";
  const tokens = new Map<string, number>();
  return {
    tokensOn: (day, key) => (day === last ? (tokens.get(key) ?? 0) : 0),
    add: (day, key, more) => {
      // A clock that is set back must not reset the count of the newer day.
      if (day > last) tokens.clear();
      last = day > last ? day : last;
      tokens.set(key, (tokens.get(key) ?? 0) + more);
    },
  };
}
