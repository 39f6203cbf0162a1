/**
 * What calls of models cost, counted by role: logical (as if nothing were cached) and billed. Knows
 * the words of the contract only; who makes the calls, and who bounds them, is for the callers to
 * know.
 */
export type { Ledger, LedgerCounts, LedgerEntry, LedgerSnapshot } from "./ledger.ts";
export { ledger } from "./ledger.ts";
