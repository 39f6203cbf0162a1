import { normalCdf, normalLogCdf, normalLogDensity, normalLogQuantile } from "./normal.ts";

/** A normal distribution cut to an interval, in logs, accurate also where its mean is far off. */
export interface TruncatedNormal {
  /** `-Infinity` outside of the interval. */
  logDensity(x: number): number;
  /** Log-probability of a part of the interval. */
  logMass(from: number, to: number): number;
  /** @param share in [0, 1] */
  quantile(share: number): number;
}

export interface TruncatedNormalOptions {
  readonly mean: number;
  /** Above 0. */
  readonly deviation: number;
  readonly low: number;
  /** Above `low`. */
  readonly high: number;
}

/** The formulas are those of `_truncnorm.py` of Optuna 5.0.0, after SciPy's `truncnorm`. */
export function truncatedNormal({
  mean,
  deviation,
  low,
  high,
}: TruncatedNormalOptions): TruncatedNormal {
  const standard = (x: number): number => (x - mean) / deviation;
  const [from, to] = [standard(low), standard(high)];
  const whole = logMassBetween(from, to);
  return {
    logDensity: (x) =>
      x < low || x > high ? -Infinity : normalLogDensity(standard(x)) - whole - Math.log(deviation),
    logMass: (start, end) => logMassBetween(standard(start), standard(end)) - whole,
    quantile: (share) => {
      if (share <= 0) return low;
      if (share >= 1) return high;
      // The left tail is the accurate one.
      const x =
        from < 0
          ? normalLogQuantile(logOfSum(normalLogCdf(from), Math.log(share) + whole))
          : -normalLogQuantile(logOfSum(normalLogCdf(-to), Math.log1p(-share) + whole));
      return x * deviation + mean;
    },
  };
}

/** Log-probability of an interval under the standard normal. */
function logMassBetween(from: number, to: number): number {
  if (to <= 0) return logOfDifference(normalLogCdf(to), normalLogCdf(from));
  if (from > 0) return logOfDifference(normalLogCdf(-from), normalLogCdf(-to));
  return Math.log1p(-normalCdf(from) - normalCdf(-to));
}

/** log(exp(one) - exp(other)) */
function logOfDifference(one: number, other: number): number {
  return one + Math.log1p(-Math.exp(other - one));
}

/** log(exp(one) + exp(other)) */
function logOfSum(one: number, other: number): number {
  const most = Math.max(one, other);
  return most === -Infinity ? most : most + Math.log1p(Math.exp(Math.min(one, other) - most));
}
