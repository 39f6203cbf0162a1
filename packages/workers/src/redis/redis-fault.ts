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
      fix: "Look into its log; it may be loading, full or too old.",
    };
  }
  const problem = "Redis cannot be reached";
  if (isEncrypted && code === "ETIMEDOUT") {
    return {
      problem,
      fix: "Check the address; a port without TLS never answers rediss://, and is asked by redis://.",
    };
  }
  if (!isEncrypted && /ECONNRESET|Connection is closed/.test(got)) {
    return { problem, fix: "Check the address; a port with TLS is asked by rediss://." };
  }
  return { problem, fix: "Check that it runs, and that the address is right." };
}

/** By the beginning of Redis's reply. */
const refusals: readonly (readonly [RegExp, Advice])[] = [
  [
    /^(?:NOAUTH|WRONGPASS|ERR AUTH)/,
    {
      problem: "Redis rejected the user or the password",
      fix: "Check those of the URL; a password may be in ESPALIER_REDIS_PASSWORD instead.",
    },
  ],
  [
    /^NOPERM/,
    {
      problem: "The user of Redis lacks a permission",
      fix: "Let it use keys and channels that begin with `espalier:`, and all commands but dangerous ones, with INFO.",
    },
  ],
  [
    /^(?:OOM|MISCONF|READONLY)/,
    {
      problem: "Redis accepts no writes",
      fix: "Give it memory and disk, or name the primary where this is a replica.",
    },
  ],
  [
    /^ERR DB index/,
    {
      problem: "Redis does not have the database of the URL",
      fix: "Leave it out, or name one that is there.",
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
