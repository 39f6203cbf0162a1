import type { Call, Parameters, Predictors } from "espalier";
import { EspalierError } from "espalier";

type Watched = Pick<Call<Predictors, Parameters>, "signal" | "note">;

/**
 * A step's result, or `fallback` if the step failed; the failure is then noted under `key`. An
 * abort, an exhausted budget, and errors of the program or its configuration, such as rejected
 * credentials, have no fallback: they end the run.
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

/** The note for a failure that has a fallback; rethrows any other. */
export function fallbackFrom(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  const mayPass = (kind: EspalierError["kind"]): boolean =>
    kind === "infrastructure" || kind === "format";
  if (EspalierError.isInstance(error) && !mayPass(error.kind)) throw error;
  return error instanceof Error ? error.message : String(error);
}
