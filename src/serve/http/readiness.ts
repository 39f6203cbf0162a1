import { failureOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";

/** Rejects if something does not work. */
export type Check = (signal: AbortSignal) => Promise<unknown>;

export interface Readiness {
  readonly isReady: boolean;
  /** `ok` or an error code, by name; entries of `informational` do not affect `isReady`. */
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Runs all checks concurrently, at most once a second: clients that ask whether the server is ready
 * must not be able to overload its dependencies.
 */
export function readiness({
  checks,
  informational = {},
  timeoutMs,
  clock,
}: {
  readonly checks: Readonly<Record<string, Check>>;
  /** Parts that answers do not depend on: `ok`, or an error code. @default none */
  readonly informational?: Readonly<Record<string, () => string>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
}): () => Promise<Readiness> {
  let last: { readonly at: number; readonly result: Promise<Readiness> } | undefined;
  const check = async (): Promise<Readiness> => {
    const results = await Promise.all(
      Object.entries(checks).map(
        async ([name, run]) => [name, await outcome(run, timeoutMs)] as const,
      ),
    );
    return {
      isReady: results.every(([, result]) => result === "ok"),
      checks: {
        ...Object.fromEntries(results),
        ...Object.fromEntries(Object.entries(informational).map(([name, say]) => [name, say()])),
      },
    };
  };
  return () => {
    if (last === undefined || clock.now() - last.at > 1_000) {
      last = { at: clock.now(), result: check() };
    }
    return last.result;
  };
}

async function outcome(check: Check, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = Promise.withResolvers<string>();
  signal.addEventListener("abort", () => late.resolve("timeout"), { once: true });
  const made = (async () => {
    try {
      await check(signal);
      return "ok";
    } catch (error) {
      return failureOf(firstOf(error)).code;
    }
  })();
  return Promise.race([made, late.promise]);
}

/** If several were tried, reports the error of the first. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error;
}
