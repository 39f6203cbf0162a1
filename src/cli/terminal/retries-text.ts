import type { LedgerCounts } from "../../ledger/index.ts";

/** How many requests were resent after faults, beyond the first of each call; empty for none. */
export function retriesText({ retries = 0 }: Pick<LedgerCounts, "retries">): string {
  return retries === 0 ? "" : `, ${retries} ${retries === 1 ? "retry" : "retries"}`;
}
