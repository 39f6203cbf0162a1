/**
 * The five reformulations, in the order of the paper (AILS-NTUA, SemEval-2026 Task 8, section 3).
 */
export const strategies = [
  "minimal",
  "corpusSpecific",
  "chainOfThought",
  "hypothetical",
  "anchorKeyword",
] as const;
export type Strategy = (typeof strategies)[number];
