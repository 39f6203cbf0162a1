import type { TruncatedNormal } from "../../../statistics/index.ts";
import { truncatedNormal } from "../../../statistics/index.ts";
import type { NumberDimension } from "./dimension.ts";
import type { Kernels } from "./kernels.ts";

/**
 * Normal kernels cut to the range, on its scale; the prior is as wide as the range, around its
 * middle. A whole number has the probability of the interval half a step to both sides. After
 * `_calculate_numerical_distributions` of Optuna 5.0.0, with `consider_magic_clip` and without
 * `consider_endpoints`, its defaults.
 */
export function numberKernels(
  { low, high, isLogScale, isWhole }: NumberDimension,
  observations: readonly number[],
): Kernels {
  const scaled = (value: number): number => (isLogScale ? Math.log(value) : value);
  const half = isWhole ? 0.5 : 0;
  const ends = { low: scaled(low - half), high: scaled(high + half) };
  const means = observations.map(scaled);
  const widths = bandwidths(means, ends);
  const kernels: readonly TruncatedNormal[] = [
    ...means.map((mean, place) =>
      truncatedNormal({ mean, deviation: widths[place] as number, ...ends }),
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
  const order = means.map((_, place) => place);
  order.sort((one, other) => (means[one] as number) - (means[other] as number));
  const around = [low, ...order.map((place) => means[place] as number), high];
  const width = high - low;
  const least = width / Math.min(100, means.length + 2);
  const widths: number[] = means.map(() => 0);
  for (const [rank, place] of order.entries()) {
    const [before, own, after] = around.slice(rank, rank + 3) as [number, number, number];
    const isAlone = means.length === 1;
    const left = rank > 0 || isAlone ? own - before : 0;
    const right = rank < means.length - 1 || isAlone ? after - own : 0;
    widths[place] = Math.min(width, Math.max(least, left, right));
  }
  return widths;
}
