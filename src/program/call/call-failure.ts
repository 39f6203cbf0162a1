import type { Failure } from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";

/**
 * The failure that a trace keeps of an error. Once the caller has aborted, every failure counts as
 * aborted, whatever the signal's reason and whatever the call in flight threw.
 */
export function callFailure(error: unknown, signal: AbortSignal | undefined): Failure {
  return signal?.aborted === true ? aborted : failureOf(error);
}

const aborted: Failure = Object.freeze({
  kind: "aborted",
  code: "aborted",
  message: "The caller aborted the run.",
});
