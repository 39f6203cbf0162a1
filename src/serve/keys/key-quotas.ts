import type { Clock } from "../../internal/index.ts";
import type { KeyUsage } from "./key-usage.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { KeyLimits } from "./key-limits.ts";
import { keyLimits } from "./key-limits.ts";
import type { TokenBucket } from "./token-bucket.ts";
import { tokenBucket } from "./token-bucket.ts";

/** Tracks the remaining quota of each key. */
export interface KeyQuotas {
  /** Maximum concurrent questions of a key. */
  readonly concurrencyOf: (key: string | undefined) => number;
  /**
   * Counts a request of the key.
   *
   * @throws ApiError 429
   */
  takeRequest(key: string): void;
  /** @throws ApiError 429 if the key has no tokens left today */
  checkTokens(key: string): void;
  spend(key: string, tokens: number): void;
  tokensToday(key: string): number;
  /** What is left of a key's limits, in headers of OpenAI's API; unlimited ones have no header. */
  headersOf(key: string): Readonly<Record<string, string>>;
}

export function keyQuotas({
  keys,
  defaults,
  usage,
  clock,
  now,
}: {
  readonly keys: ApiKeys | undefined;
  readonly defaults: KeyLimits;
  readonly usage: KeyUsage;
  readonly clock: Clock;
  readonly now: () => Date;
}): KeyQuotas {
  const buckets = new Map<string, { readonly size: number; readonly bucket: TokenBucket }>();
  const limitsOf = (key: string): Required<KeyLimits> =>
    keyLimits(keys?.limitsOf?.(key) ?? {}, defaults);
  const bucketOf = (key: string): TokenBucket | null => {
    const size = limitsOf(key).requestsPerMinute;
    if (size === null) return null;
    const known = buckets.get(key);
    if (known?.size === size) return known.bucket;
    const bucket = tokenBucket({ size, fillMs: 60_000, now: () => clock.now() });
    buckets.set(key, { size, bucket });
    return bucket;
  };
  const today = (): string => now().toISOString().slice(0, "2026-11-22".length);
  const tokensToday = (key: string): number => usage.tokensOn(today(), key);
  return {
    concurrencyOf: (key) =>
      (key === undefined ? null : limitsOf(key).concurrency) ?? Number.POSITIVE_INFINITY,
    takeRequest: (key) => {
      const bucket = bucketOf(key);
      if (bucket === null || bucket.take()) return;
      throw new ApiError(
        429,
        "rate_limit_exceeded",
        `This key is limited to ${limitsOf(key).requestsPerMinute} requests per minute.`,
        { retryAfterSeconds: secondsOf(bucket.oneInMs) },
      );
    },
    checkTokens: (key) => {
      const most = limitsOf(key).tokensPerDay;
      if (most === null || tokensToday(key) < most) return;
      throw new ApiError(
        429,
        "insufficient_quota",
        `This key has used its ${most} tokens for today (UTC).`,
        { retryAfterSeconds: secondsOf(untilTomorrowMs(now())) },
      );
    },
    spend: (key, tokens) => {
      if (tokens > 0) usage.add(today(), key, tokens);
    },
    tokensToday,
    headersOf: (key) => {
      const { requestsPerMinute, tokensPerDay } = limitsOf(key);
      const bucket = bucketOf(key);
      return {
        ...(bucket !== null &&
          rateHeaders("requests", Number(requestsPerMinute), bucket.left, bucket.fullInMs)),
        ...(tokensPerDay !== null &&
          rateHeaders(
            "tokens",
            tokensPerDay,
            tokensPerDay - tokensToday(key),
            untilTomorrowMs(now()),
          )),
      };
    },
  };
}

/** All headers that `headersOf` may return. */
export const rateLimitHeaders: readonly string[] = ["requests", "tokens"].flatMap((of) =>
  ["limit", "remaining", "reset"].map((what) => `x-ratelimit-${what}-${of}`),
);

function rateHeaders(
  of: "requests" | "tokens",
  limit: number,
  left: number,
  resetMs: number,
): Readonly<Record<string, string>> {
  return {
    [`x-ratelimit-limit-${of}`]: String(limit),
    [`x-ratelimit-remaining-${of}`]: String(Math.max(0, left)),
    [`x-ratelimit-reset-${of}`]: `${secondsOf(resetMs)}s`,
  };
}

function secondsOf(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / 1_000));
}

const dayMs = 86_400_000;

function untilTomorrowMs(now: Date): number {
  return dayMs - (now.getTime() % dayMs);
}
