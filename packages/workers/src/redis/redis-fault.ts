import { EspalierError, messageOf } from "../../../../src/errors/index.ts";
import type { Advice } from "../../../../src/internal/index.ts";
import {
  credentialsIn,
  faultCode,
  secretMask,
  tlsAdvice,
  withoutCredentials,
} from "../../../../src/internal/index.ts";
import type { RedisAddress } from "./redis-address.ts";

/** Converts errors of the driver, the network and Redis; returns errors of ours unchanged. */
export function redisFault(thrown: unknown, { url, password }: RedisAddress): EspalierError {
  if (EspalierError.isInstance(thrown)) return thrown;
  const masked = secretMask([...credentialsIn(url), ...(password === undefined ? [] : [password])]);
  const got = masked(faultText(thrown));
  return new EspalierError({
    code: "queue-failed",
    ...(tlsAdvice(thrown, "Redis", "redis://") ??
      adviceOn(got, { name: nameOf(thrown), code: faultCode(thrown) }, url.startsWith("rediss:"))),
    where: withoutCredentials(url),
    got,
    cause: withoutCommand(thrown),
  });
}

/** Converts what `work` throws. */
export async function orRedisFault<TResult>(
  address: RedisAddress,
  work: () => Promise<TResult>,
): Promise<TResult> {
  try {
    return await work();
  } catch (error) {
    throw redisFault(error, address);
  }
}

function adviceOn(
  got: string,
  { name, code }: { readonly name: string; readonly code: string },
  isEncrypted: boolean,
): Advice {
  const known = refusals.find(([pattern]) => pattern.test(got));
  if (known !== undefined) return known[1];
  if (name === "ReplyError") {
    return {
      problem: "Redis refused a command",
      fix: "Check its log; it may be loading, full or too old.",
    };
  }
  const problem = "Redis cannot be reached";
  if (isEncrypted && code === "ETIMEDOUT") {
    return {
      problem,
      fix: "Check the URL; a port without TLS needs redis:// and never answers rediss://.",
    };
  }
  if (!isEncrypted && /ECONNRESET|Connection is closed/.test(got)) {
    return { problem, fix: "Check the URL; a port with TLS needs rediss://." };
  }
  return { problem, fix: "Check that it is running, and that the URL is correct." };
}

/** By the beginning of Redis's reply. */
const refusals: readonly (readonly [RegExp, Advice])[] = [
  [
    /^(?:NOAUTH|WRONGPASS|ERR AUTH)/,
    {
      problem: "Redis rejected the user or password",
      fix: "Check both in the URL; the password can be set in ESPALIER_REDIS_PASSWORD instead.",
    },
  ],
  [
    /^NOPERM/,
    {
      problem: "The Redis user lacks a permission",
      fix: "Allow it INFO, keys and channels that begin with `espalier:`, and all commands except the dangerous ones.",
    },
  ],
  [
    /^(?:OOM|MISCONF|READONLY)/,
    {
      problem: "Redis is not accepting writes",
      fix: "Give it more memory or disk space; if this is a replica, use the primary's URL.",
    },
  ],
  [
    /^ERR DB index/,
    {
      problem: "Redis does not have the database named in the URL",
      fix: "Leave it out, or name one that exists.",
    },
  ],
];

/** The driver keeps the command with a refusal, and a command may hold the password. */
function withoutCommand(thrown: unknown): unknown {
  if (thrown instanceof Error && "command" in thrown) delete thrown.command;
  return thrown;
}

/** An error of several addresses has no message of its own. */
function faultText(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(messageOf).join("; ");
  return messageOf(thrown);
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : "";
}
