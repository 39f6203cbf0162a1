import type { Clause } from "./clauses.ts";

/** Number of words up to which an instruction is taken in whole. */
const wordsTakenIn = 600;

/**
 * Share of its strength that an instruction keeps, in (0, 1]: what is said in very many words is
 * followed less.
 */
export function dilution(clauses: readonly Clause[]): number {
  const count = clauses.reduce((sum, { wordCount }) => sum + wordCount, 0);
  return Math.min(1, wordsTakenIn / Math.max(1, count));
}
