/**
 * How many tokens each key has used, by days. Where `add` throws, the tokens are not counted and
 * the log tells.
 */
export interface KeyUsage {
  /** @param day as `2026-11-22` */
  tokensOn(day: string, key: string): number;
  add(day: string, key: string, tokens: number): void;
  /** Why counts cannot be kept now; `null` where they can. @default null */
  readonly problem?: string | null;
}

/** Of the last day alone, in this process. */
export function keyUsage(): KeyUsage {
  let last = "";
  const tokens = new Map<string, number>();
  return {
    tokensOn: (day, key) => (day === last ? (tokens.get(key) ?? 0) : 0),
    add: (day, key, more) => {
      // A clock that is put back must not make the newer day's count anew.
      if (day > last) tokens.clear();
      last = day > last ? day : last;
      tokens.set(key, (tokens.get(key) ?? 0) + more);
    },
  };
}
