import { normalizeAnswer } from "./squad.ts";

/**
 * Accuracy of Adaptive-RAG and HANRAG: 1 when a normalised gold answer is a substring of the
 * normalised prediction, else 0. An answer that says more than necessary is still right.
 */
export function accuracyOf(prediction: string, golds: readonly string[]): 0 | 1 {
  const normalized = normalizeAnswer(prediction);
  return golds.some((gold) => normalized.includes(normalizeAnswer(gold))) ? 1 : 0;
}

/**
 * Accuracy on compound questions (HANRAG, section 4.1), whose gold answers are joined with ` && `:
 * the share of parts that the prediction contains, for the best gold answer; in [0, 1].
 */
export function compoundAccuracyOf(prediction: string, golds: readonly string[]): number {
  const shares = golds.map((gold) => {
    const parts = gold.split(" && ");
    return parts.filter((part) => accuracyOf(prediction, [part]) === 1).length / parts.length;
  });
  return Math.max(0, ...shares);
}
