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
