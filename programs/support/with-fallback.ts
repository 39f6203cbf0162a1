import type { Call, Parameters, Predictors } from "espalier";
import { EspalierError } from "espalier";

type Watched = Pick<Call<Predictors, Parameters>, "signal" | "note">;

/**
 * What a step made, or `fallback` when it failed, which is then noted under `key`. An abort, an
 * exhausted budget, and what is wrong with the program or its configuration, as refused credentials,
 * are nothing to fall back from: they end the run.
 */
export async function withFallback<TResult>(
  step: () => Promise<TResult>,
  {
    call,
    key,
    fallback,
  }: { readonly call: Watched; readonly key: string; readonly fallback: TResult },
): Promise<TResult> {
  try {
    return await step();
  } catch (error) {
    call.note(key, fallbackFrom(error, call.signal));
    return fallback;
  }
}

/** The words to note of a failure that there is a fallback for; throws any other. */
export function fallbackFrom(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  const mayPass = (kind: EspalierError["kind"]): boolean =>
    kind === "infrastructure" || kind === "format";
  if (EspalierError.isInstance(error) && !mayPass(error.kind)) throw error;
  return error instanceof Error ? error.message : String(error);
}
