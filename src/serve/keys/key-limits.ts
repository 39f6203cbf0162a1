import { checkCount } from "../../internal/index.ts";

/** How much may be asked with one key; `null` for as much as one likes. */
export interface KeyLimits {
  /** Questions answered at a time; more wait. */
  readonly concurrency?: number | null;
  /** POST requests, out of a bucket of as many that is filled again within a minute. */
  readonly requestsPerMinute?: number | null;
  /** Of prompts and replies, within a day of UTC. */
  readonly tokensPerDay?: number | null;
}

const words: Readonly<Record<string, keyof KeyLimits>> = {
  concurrency: "concurrency",
  "requests-per-minute": "requestsPerMinute",
  "tokens-per-day": "tokensPerDay",
};

/** What a line of the file of keys may end with, for messages. */
export const keyLimitWords: string = Object.keys(words)
  .map((word) => `${word}=N`)
  .join(", ");

/** Reads `concurrency=4 tokens-per-day=none`; `undefined` where it is anything else. */
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
 * @param of the option that the limits are in
 * @throws EspalierError `option-invalid`
 */
export function checkKeyLimits(limits: KeyLimits, of: string): void {
  for (const limit of Object.values(words)) {
    const most = limits[limit] ?? null;
    if (most !== null) checkCount(`${of}.${limit}`, most);
  }
}

/** The limits of a key, with the server's own where its line says nothing. */
export function keyLimits(own: KeyLimits, defaults: KeyLimits): Required<KeyLimits> {
  return { concurrency: null, requestsPerMinute: null, tokensPerDay: null, ...defaults, ...own };
}
