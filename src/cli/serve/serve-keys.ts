import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import type { ApiKeys, KeptKeyUsage, KeyLimits } from "../../serve/index.ts";
import { apiKeyFile, apiKeysInClear, isLoopback, openKeyUsage } from "../../serve/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { stateFolder } from "../rollout/serve-rollout.ts";

/** The variable with plain-text keys, for setups where a file is inconvenient. */
export const keysVariable = "ESPALIER_SERVE_KEYS";

/** Arguments for the limits of each key. */
export const keyLimitArguments = {
  "key-concurrency": {
    type: "string",
    description: "Maximum concurrent requests per key; defaults to --max-requests",
    valueHint: "N",
  },
  "key-requests-per-minute": {
    type: "string",
    description: "Maximum POST requests per key and minute; unlimited by default",
    valueHint: "N",
  },
  "key-tokens-per-day": {
    type: "string",
    description: "Maximum tokens per key and day (UTC); unlimited by default",
    valueHint: "N",
  },
} as const;

type GivenLimits = { readonly [option in keyof typeof keyLimitArguments]?: string | undefined };

/**
 * Keys from the file, or else from the environment. A server that other machines can reach needs
 * keys, unless it is explicitly open.
 *
 * @throws EspalierError `file-missing`, `file-malformed`, `option-invalid`, `usage-invalid`
 */
export function serveKeys({
  file,
  host,
  isOpen,
}: {
  readonly file: string | undefined;
  readonly host: string;
  readonly isOpen: boolean;
}): ApiKeys | undefined {
  const inClear = process.env[keysVariable];
  if (file !== undefined) return apiKeyFile(file);
  if (inClear !== undefined && inClear !== "") return apiKeysInClear(inClear, keysVariable);
  if (isOpen || isLoopback(host)) return undefined;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Other machines can reach ${host}, but there are no keys`,
    expected: `--keys FILE, ${keysVariable}, or --no-auth to accept requests without a key`,
    fix: "Create a key with `espalier serve --new-key NAME`.",
  });
}

/**
 * Limits of keys for which the file sets none.
 *
 * @throws EspalierError `usage-invalid`
 */
export function serveKeyLimits(given: GivenLimits): KeyLimits {
  const limitOf = (option: keyof GivenLimits): number | null => {
    const value = given[option];
    return value === undefined ? null : wholeNumber(option, value, 1);
  };
  return {
    concurrency: limitOf("key-concurrency"),
    requestsPerMinute: limitOf("key-requests-per-minute"),
    tokensPerDay: limitOf("key-tokens-per-day"),
  };
}

/**
 * Token counts that survive a restart: kept in the state folder, if the server has one or a limit
 * needs it.
 *
 * @throws EspalierError `serve-state-unusable`
 */
export function serveKeyUsage(
  given: { readonly artifacts?: string | undefined; readonly state?: string | undefined },
  {
    name,
    keys,
    limits,
  }: { readonly name: string; readonly keys: ApiKeys | undefined; readonly limits: KeyLimits },
): KeptKeyUsage | undefined {
  const folder = stateFolder(given, name);
  if (keys === undefined || folder === undefined) return undefined;
  const all = [limits, ...keys.names.map((key) => keys.limitsOf?.(key) ?? {})];
  const isLimited = all.some(({ tokensPerDay = null }) => tokensPerDay !== null);
  const isNamed = given.state !== undefined || given.artifacts !== undefined;
  return isLimited || isNamed ? openKeyUsage(join(folder, "keys.sqlite")) : undefined;
}
