import type { Failure } from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";

/**
 * What is left of an error in a trace. Once the caller has aborted, everything that fails has been
 * aborted, whatever the reason of the signal is and whatever the call in flight threw for it.
 */
export function callFailure(error: unknown, signal: AbortSignal | undefined): Failure {
  return signal?.aborted === true ? aborted : failureOf(error);
}

const aborted: Failure = Object.freeze({
  kind: "aborted",
  code: "aborted",
  message: "The caller aborted the run.",
});
