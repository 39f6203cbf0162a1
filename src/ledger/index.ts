/**
 * What model calls cost, counted by role: logical (as if nothing were cached) and billed. Knows
 * only the contract; callers know who makes the calls and what bounds them.
 */
export type { Ledger, LedgerCounts, LedgerEntry, LedgerSnapshot } from "./ledger.ts";
export { countedTokens, ledger } from "./ledger.ts";
