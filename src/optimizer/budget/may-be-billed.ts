import type { Failure } from "../../contract/index.ts";

/**
 * Whether a call that brought no reply may have cost something all the same: it was begun, and no
 * one said how it ended. A server that refuses a request, or says that it failed, does not bill it.
 */
export function mayBeBilled({ code }: Failure): boolean {
  return !unbilled.has(code);
}

const unbilled: ReadonlySet<Failure["code"]> = new Set<Failure["code"]>([
  "budget-exhausted",
  "lm-rate-limited",
  "lm-server-error",
  "lm-request-refused",
  "lm-unauthorized",
  "lm-not-found",
  "lm-unsupported",
  "lm-context-overflow",
  "recording-missing",
]);
