import type { Failure } from "../../contract/index.ts";

/**
 * Whether a call without a reply may still have been billed: it was started and its end is unknown.
 * A server that rejects a request, or reports a failure, does not bill it.
 */
export function mayBeBilled({ code }: Failure): boolean {
  return !unbilled.has(code);
}

const unbilled: ReadonlySet<Failure["code"]> = new Set<Failure["code"]>([
  "budget-exhausted",
  "lm-rate-limited",
  "lm-server-error",
  "lm-unavailable",
  "lm-request-refused",
  "lm-unauthorized",
  "lm-not-found",
  "lm-unsupported",
  "lm-context-overflow",
  "lm-prompt-refused",
  "lm-quota-exhausted",
  "lm-reply-missing",
  "recording-missing",
]);
