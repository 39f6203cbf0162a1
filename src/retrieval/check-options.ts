import { EspalierError } from "../errors/index.ts";

/** A number of passages asked for. */
export function checkCount(name: string, count: number): void {
  if (Number.isInteger(count) && count >= 1) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The number of passages asked for cannot be met",
    expected: `\`${name}\`, a whole number of at least 1`,
    got: String(count),
  });
}

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
