/**
 * Distribution function of the standard normal, by the series of G. Marsaglia, "Evaluating the
 * Normal Distribution", Journal of Statistical Software 11(4), 2004; accurate to about 1e-15.
 */
export function normalCdf(x: number): number {
  if (Math.abs(x) > 8) return x < 0 ? 0 : 1;
  let sum = x;
  let term = x;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/**
 * Inverse of `normalCdf` for a probability in (0, 1), by bisection; its absolute value is at most
 * 8.
 */
export function normalQuantile(probability: number): number {
  let low = -8;
  let high = 8;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Natural log of `normalCdf`, to a relative accuracy of about 1e-13 far into both tails. */
export function normalLogCdf(x: number): number {
  if (x > 0) return Math.log1p(-Math.exp(normalLogCdf(-x)));
  if (x > -3) return Math.log(normalCdf(x));
  return normalLogDensity(x) + Math.log(millsRatio(-x));
}

/** Natural log of the density of the standard normal. */
export function normalLogDensity(x: number): number {
  return -(x * x) / 2 - logRootOf2Pi;
}

/**
 * Inverse of `normalLogCdf` for a log-probability below 0, by Newton's method from the start that
 * Optuna's `_truncnorm._ndtri_exp` takes: the tail's asymptote, or the logistic approximation.
 */
export function normalLogQuantile(logProbability: number): number {
  // Near probability 1 the other tail is the accurate one.
  if (logProbability > -0.01) {
    return -normalLogQuantile(Math.log(-Math.expm1(logProbability)));
  }
  let x =
    logProbability < -5
      ? -Math.sqrt(-2 * (logProbability + logRootOf2Pi))
      : -(Math.sqrt(3) / Math.PI) * Math.log(Math.expm1(-logProbability));
  for (let step = 0; step < 100; step++) {
    const logCdf = normalLogCdf(x);
    const change = (logCdf - logProbability) * Math.exp(logCdf - normalLogDensity(x));
    x -= change;
    if (Math.abs(change) < 1e-8 * Math.abs(x)) break;
  }
  return x;
}

const logRootOf2Pi = Math.log(2 * Math.PI) / 2;

/** (1 - cdf) / density for x of at least 3, by Laplace's continued fraction. */
function millsRatio(x: number): number {
  let rest = 0;
  for (let term = 40; term >= 1; term--) rest = term / (x + rest);
  return 1 / (x + rest);
}
