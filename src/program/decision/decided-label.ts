import type { LabelDecision } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";

/** Weights by label, above 0; a label without one weighs 1. */
export type LabelWeights = Readonly<Record<string, number>>;

/**
 * The label whose probability times its weight is greatest. What the model wrote stands if all
 * labels weigh the same, if there are no probabilities, and against labels that come out equal. For
 * a boolean, `true` with weight w is a threshold of 1 / (1 + w) on its probability.
 */
export function decidedLabel(
  { written, probabilities }: Pick<LabelDecision, "written" | "probabilities">,
  weights: LabelWeights,
): string | boolean {
  const weightOf = (label: string): number => getOwn(weights, label) ?? 1;
  if (probabilities === null) return written;
  const labels = Object.keys(probabilities);
  if (new Set(labels.map(weightOf)).size === 1) return written;
  let best = String(written);
  const value = (label: string): number => (getOwn(probabilities, label) ?? 0) * weightOf(label);
  for (const label of labels) if (value(label) > value(best)) best = label;
  return typeof written === "boolean" ? best === "true" : best;
}
