import { failureOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";

/** Rejects where something does not work. */
export type Check = (signal: AbortSignal) => Promise<unknown>;

export interface Readiness {
  readonly isReady: boolean;
  /** By name: `ok`, or the code of what is wrong; what only is told of does not make it unready. */
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Makes all checks side by side, at most once a second however often it is asked: whoever asks
 * whether the server is ready must not be able to load what it depends on.
 */
export function readiness({
  checks,
  told = {},
  timeoutMs,
  clock,
}: {
  readonly checks: Readonly<Record<string, Check>>;
  /** What answers do not depend on: `ok`, or the code of what is wrong. @default nothing */
  readonly told?: Readonly<Record<string, () => string>>;
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
        ...Object.fromEntries(Object.entries(told).map(([name, say]) => [name, say()])),
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

/** Where several were tried, what is wrong with the first stands for all. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error;
}
