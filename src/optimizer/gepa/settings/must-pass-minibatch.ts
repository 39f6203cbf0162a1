import type { GepaSettings } from "./gepa-settings.ts";

/** How children of this run fared so far. */
export interface ChildOutcomes {
  readonly accepted: number;
  readonly rejected: number;
  /** Rejected on val: the shares of their missing rollouts that they took, and their number. */
  readonly sharesOfVal: number;
  readonly onVal: number;
}

export const noOutcomes: ChildOutcomes = { accepted: 0, rejected: 0, sharesOfVal: 0, onVal: 0 };

/** What a child's evaluation would take, in rollouts, as far as they are not known. */
export interface EvaluationCosts {
  readonly onVal: number;
  /** On the minibatch, of child and parent. @default of the child alone */
  readonly onMinibatch?: number;
  /** Number of new texts in it. @default 1 */
  readonly texts?: number;
}

/**
 * Whether a child must first do better on its minibatch. By default, if a child that is rejected on
 * val would take more there, times the chance that it is rejected, than the minibatch takes; both
 * are estimated from the run so far. They begin at half of val and at one in three for each of the
 * child's texts, of which one that is wrong may spoil the others.
 */
export function mustPassMinibatch(
  { gateAbove, minibatchSize }: Pick<GepaSettings, "gateAbove" | "minibatchSize">,
  { onVal, onMinibatch = minibatchSize, texts = 1 }: EvaluationCosts,
  { accepted, rejected, sharesOfVal, onVal: rejectedOnVal }: ChildOutcomes = noOutcomes,
): boolean {
  if (gateAbove === null) return false;
  if (gateAbove === "adaptive") {
    const expected = 1 - textIsRight ** texts;
    const chance = (rejected + counted * expected) / (accepted + rejected + counted);
    const share = (sharesOfVal + 0.5) / (rejectedOnVal + 1);
    return chance * share * onVal > onMinibatch;
  }
  // 0 requires the minibatch even if nothing is missing on val.
  return gateAbove === 0 || onVal > gateAbove * minibatchSize;
}

/** Chance of a new text to be right before the run has shown anything. */
const textIsRight = 2 / 3;
/** How many children that assumption counts for. */
const counted = 10;
