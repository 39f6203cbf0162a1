import { checkCount } from "../../internal/index.ts";

/** Limits of one key; `null` for unlimited. */
export interface KeyLimits {
  /** Maximum concurrent questions; further ones wait. */
  readonly concurrency?: number | null;
  /** POST requests, from a bucket of this size that refills within a minute. */
  readonly requestsPerMinute?: number | null;
  /** Tokens of prompts and replies, per UTC day. */
  readonly tokensPerDay?: number | null;
}

const words: Readonly<Record<string, keyof KeyLimits>> = {
  concurrency: "concurrency",
  "requests-per-minute": "requestsPerMinute",
  "tokens-per-day": "tokensPerDay",
};

/** The limits that a line of the key file may end with, for messages. */
export const keyLimitWords: string = Object.keys(words)
  .map((word) => `${word}=N`)
  .join(", ");

/** Reads `concurrency=4 tokens-per-day=none`; `undefined` for anything else. */
export function readKeyLimits(given: readonly string[]): KeyLimits | undefined {
  const read = given.map((each) => {
    const [, word = "", value = ""] = /^([a-z-]+)=(\d{1,15}|none)$/.exec(each) ?? [];
    const limit = Object.hasOwn(words, word) ? words[word] : undefined;
    const most = value === "none" ? null : Number(value);
    return limit === undefined || most === 0 ? undefined : ([limit, most] as const);
  });
  const known = read.filter((each) => each !== undefined);
  const isOnce = new Set(known.map(([limit]) => limit)).size === given.length;
  return known.length === given.length && isOnce ? Object.fromEntries(known) : undefined;
}

/**
 * @param of name of the option that holds the limits
 * @throws EspalierError `option-invalid`
 */
export function checkKeyLimits(limits: KeyLimits, of: string): void {
  for (const limit of Object.values(words)) {
    const most = limits[limit] ?? null;
    if (most !== null) checkCount(`${of}.${limit}`, most);
  }
}

/** The limits of a key, with the server's defaults for those that its line omits. */
export function keyLimits(own: KeyLimits, defaults: KeyLimits): Required<KeyLimits> {
  return { concurrency: null, requestsPerMinute: null, tokensPerDay: null, ...defaults, ...own };
}
