import { EspalierError } from "../../errors/index.ts";

/** Weights of fields or of runs: none negative, and some positive. */
export function checkWeights(weights: readonly number[], expected: string): void {
  const isUsable = weights.every((weight) => Number.isFinite(weight) && weight >= 0);
  if (isUsable && weights.some((weight) => weight > 0)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The weights cannot be used",
    expected: `${expected}: finite, none negative, at least one positive`,
    got: weights.join(", "),
  });
}
