import type { Failure } from "../../contract/index.ts";

/**
 * Whether a request without a usable reply may still have been billed: its end is unknown, its
 * reply could not be used, or the server failed over it, perhaps in mid-reply. A server that
 * rejects a request does not bill it.
 */
export function mayBeBilled({ code }: Pick<Failure, "code">): boolean {
  return !unbilled.has(code);
}

const unbilled: ReadonlySet<Failure["code"]> = new Set<Failure["code"]>([
  "budget-exhausted",
  "lm-rate-limited",
  "lm-unavailable",
  "lm-request-refused",
  "lm-unauthorized",
  "lm-not-found",
  "lm-unsupported",
  "lm-context-overflow",
  "lm-prompt-refused",
  "lm-quota-exhausted",
  "lm-reply-missing",
]);

/** Whether the call failed before any request of it left: it did not fit, or cannot be asked. */
export function neverSent({ code }: Pick<Failure, "code">): boolean {
  return code === "budget-exhausted" || code === "lm-unsupported" || code === "lm-reply-missing";
}
