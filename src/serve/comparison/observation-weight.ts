/** The version, or versions, that answered one key's question. */
export type AnsweredBy =
  | "baseline"
  | "candidate"
  | "both"
  /** Both should have answered, but the candidate was not asked, so there is nothing to compare. */
  | "baseline-unpaired";

/**
 * The weight of an answer. Given the shares of keys that get each version, the weights balance: on
 * average, the baseline's answers add as much as the candidate's subtract. The greater of the two
 * weights is 1.
 */
export function observationWeight(
  { canary, shadow }: { readonly canary: number; readonly shadow: number },
  answeredBy: AnsweredBy,
): number {
  if (answeredBy === "both") return 1;
  if (answeredBy === "baseline-unpaired") return 0;
  const baselineAlone = (1 - canary) * (1 - shadow);
  if (answeredBy === "candidate") return Math.min(1, baselineAlone / canary);
  return baselineAlone === 0 ? 0 : Math.min(1, canary / baselineAlone);
}
