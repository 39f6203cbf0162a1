import type { LedgerCounts } from "../../ledger/index.ts";

/** How many requests were resent after faults, beyond the first of each call; empty for none. */
export function retriesText({ retries = 0 }: Pick<LedgerCounts, "retries">): string {
  return retries === 0 ? "" : `, ${retries} ${retries === 1 ? "retry" : "retries"}`;
}

/** Counts the replies whose server did not say how many tokens they took; empty for none. */
export function uncountedText({
  uncountedCalls = 0,
}: {
  readonly uncountedCalls?: number;
}): string {
  return uncountedCalls === 0 ? "" : ` (${uncountedCalls} calls without a count)`;
}
