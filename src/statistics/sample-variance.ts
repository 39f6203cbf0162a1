import { mean } from "./mean.ts";

/** Unbiased variance of at least two values. */
export function sampleVariance(values: readonly number[]): number {
  const center = mean(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
}
