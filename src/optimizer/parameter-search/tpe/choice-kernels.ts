import type { ChoiceDimension } from "./dimension.ts";
import type { Kernels } from "./kernels.ts";

/**
 * Aitchison-Aitken-like kernels: each option starts with `1 / kernels`, and the observed one gets 1
 * more; the prior is uniform. After `_calculate_categorical_distributions` of Optuna 5.0.0.
 */
export function choiceKernels(
  { options }: ChoiceDimension,
  observations: readonly number[],
): Kernels {
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
