import { EspalierError } from "../../errors/index.ts";

/** Checks weights of fields or runs: none negative, at least one positive. */
export function checkWeights(weights: readonly number[], expected: string): void {
  const isUsable = weights.every((weight) => Number.isFinite(weight) && weight >= 0);
  if (isUsable && weights.some((weight) => weight > 0)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The weights are invalid",
    expected: `${expected}: finite, none negative, at least one positive`,
    got: weights.join(", "),
  });
}
