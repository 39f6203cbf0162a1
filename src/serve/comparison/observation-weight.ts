/** Which version, or versions, one key's question was answered by. */
export type AnsweredBy =
  | "baseline"
  | "candidate"
  | "both"
  /** Both were to, and the candidate was not asked: what is left is no comparison. */
  | "baseline-unpaired";

/**
 * How much an answer counts: so that, with the shares of keys that get each version, what the
 * baseline's answers add is on average what the candidate's take away. The greater of the two
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
