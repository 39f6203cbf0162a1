import type { Interval } from "./cluster-bootstrap.ts";
import { mean } from "./mean.ts";

/**
 * 95 % interval of the mean of few independent values, such as those of several seeds, by Student's
 * t ("The Probable Error of a Mean", Biometrika 6, 1908). `null` with fewer than two values.
 */
export function studentInterval(values: readonly number[]): Interval | null {
  if (values.length < 2) return null;
  const centre = mean(values);
  const error = Math.sqrt(sampleVariance(values) / values.length);
  const reach = error * studentQuantile975(values.length - 1);
  return { low: centre - reach, high: centre + reach };
}

/** The t below which 97.5 % of the distribution lie, by bisection. */
function studentQuantile975(degrees: number): number {
  let [low, high] = [1.9, 12.8];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (centralMass(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Probability that |T| is at most t, for a whole number of degrees of freedom: the finite series
 * 26.7.3 and 26.7.4 of Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964.
 */
function centralMass(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= (cosine * cosine * (power - 1)) / power;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}

/** Unbiased variance of at least two values. */
export function sampleVariance(values: readonly number[]): number {
  const center = mean(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
}

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
