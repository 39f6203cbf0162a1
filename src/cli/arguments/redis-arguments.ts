import type { RedisAddress } from "../packages/workers-package.ts";

const redis = {
  type: "string",
  description:
    "URL of Redis or Valkey, where workers take examples to run: redis://HOST:PORT, or rediss:// over TLS. A password may be in ESPALIER_REDIS_PASSWORD instead",
  valueHint: "URL",
} as const;

/** For commands whose examples workers can run. */
export const redisArguments: { readonly redis: typeof redis } = { redis };

/** For commands that work there alone. */
export const requiredRedis: typeof redis & { readonly required: true } = {
  ...redis,
  required: true,
};

export function redisAddress(url: string): RedisAddress {
  return { url, password: process.env["ESPALIER_REDIS_PASSWORD"] || undefined };
}
