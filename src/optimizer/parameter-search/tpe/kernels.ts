import type { TruncatedNormal } from "../../../statistics/index.ts";
import { truncatedNormal } from "../../../statistics/index.ts";
import type { NumberRange } from "../tunable.ts";
import { endsOf } from "../tunable.ts";

/** The kernels of an estimator along one dimension: one for each observation, then the prior. */
export interface Kernels {
  /** Log-density of a value, or log-probability where values are discrete. */
  logDensity(kernel: number, value: number): number;
  /** @param share a uniform draw in [0, 1) */
  draw(kernel: number, share: number): number;
}

/** A coordinate for each parameter of a space: a number, or the place of a choice's option. */
export type Point = readonly number[];

/**
 * Aitchison-Aitken-like kernels: each option starts with `1 / kernels`, and the observed one gets 1
 * more; the prior is uniform. After `_calculate_categorical_distributions` of Optuna 5.0.0.
 *
 * @param options at least 2
 */
export function choiceKernels(options: number, observations: readonly number[]): Kernels {
  const start = 1 / (observations.length + 1);
  const total = options * start;
  const probability = (kernel: number, option: number): number => {
    const observed = observations[kernel];
    if (observed === undefined) return start / total;
    return (observed === option ? start + 1 : start) / (total + 1);
  };
  return {
    logDensity: (kernel, value) => Math.log(probability(kernel, value)),
    draw: (kernel, share) => {
      let below = 0;
      for (let option = 0; option < options - 1; option++) {
        below += probability(kernel, option);
        if (share <= below) return option;
      }
      return options - 1;
    },
  };
}

/**
 * Normal kernels cut to the range, on its scale; the prior is as wide as the range, around its
 * middle. A whole number has the probability of the interval half a step to both sides. After
 * `_calculate_numerical_distributions` of Optuna 5.0.0, with `consider_magic_clip` and without
 * `consider_endpoints`, its defaults.
 */
export function numberKernels(range: NumberRange, observations: readonly number[]): Kernels {
  const { isLogScale } = range;
  const isWhole = range.kind === "int";
  const [low, high] = endsOf(range);
  const scaled = (value: number): number => (isLogScale ? Math.log(value) : value);
  const half = isWhole ? 0.5 : 0;
  const ends = { low: scaled(low - half), high: scaled(high + half) };
  const means = observations.map(scaled);
  const widths = bandwidths(means, ends);
  const kernels: readonly TruncatedNormal[] = [
    ...means.map((mean, index) =>
      truncatedNormal({ mean, deviation: widths[index] as number, ...ends }),
    ),
    truncatedNormal({
      mean: (ends.low + ends.high) / 2,
      deviation: ends.high - ends.low,
      ...ends,
    }),
  ];
  const at = (kernel: number): TruncatedNormal => kernels[kernel] as TruncatedNormal;
  return {
    logDensity: (kernel, value) =>
      isWhole
        ? at(kernel).logMass(scaled(value - half), scaled(value + half))
        : at(kernel).logDensity(scaled(value)),
    draw: (kernel, share) => {
      const drawn = at(kernel).quantile(share);
      const value = isLogScale ? Math.exp(drawn) : drawn;
      return isWhole ? Math.min(high, Math.max(low, low + Math.round(value - low))) : value;
    },
  };
}

/**
 * The distance to the farther neighbour; an outermost mean takes that to its only neighbour, and a
 * single mean that to the farther end. Clipped to the range from 1 / min(100, kernels + 1) of the
 * width, the "magic clip" of Bergstra's Hyperopt, to the width.
 */
function bandwidths(
  means: readonly number[],
  { low, high }: { readonly low: number; readonly high: number },
): readonly number[] {
  const order = means.map((_, index) => index);
  order.sort((one, other) => (means[one] as number) - (means[other] as number));
  const around = [low, ...order.map((index) => means[index] as number), high];
  const width = high - low;
  const least = width / Math.min(100, means.length + 2);
  const widths: number[] = means.map(() => 0);
  for (const [rank, index] of order.entries()) {
    const [before, own, after] = around.slice(rank, rank + 3) as [number, number, number];
    const isAlone = means.length === 1;
    const left = rank > 0 || isAlone ? own - before : 0;
    const right = rank < means.length - 1 || isAlone ? after - own : 0;
    widths[index] = Math.min(width, Math.max(least, left, right));
  }
  return widths;
}
