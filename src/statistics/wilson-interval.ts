/** An observed share, and where the true one lies with 95 % confidence. */
export interface Proportion {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The score interval of E. B. Wilson, "Probable inference, the law of succession, and statistical
 * inference", JASA 22 (1927), without continuity correction: it stays within 0 and 1 and is valid
 * for few ratings, where the usual interval is not.
 *
 * @returns `null` without ratings
 */
export function wilsonInterval(successes: number, total: number): Proportion | null {
  if (total === 0) return null;
  const ratio = successes / total;
  const share = (z * z) / total;
  const centre = (ratio + share / 2) / (1 + share);
  const reach = Math.sqrt(share * (ratio * (1 - ratio) + share / 4)) / (1 + share);
  return { ratio, low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
}

/** Standard normal quantile at 0.975. */
const z = 1.959963984540054;
