import type { StepEvaluation } from "../evaluation/index.ts";

/** Sums over the examples that both were scored on. */
export interface GateSums {
  readonly parentSum: number;
  readonly childSum: number;
}

/** What faults or the metric left out of one side says nothing of the other. */
export function gateSums(parent: StepEvaluation, child: StepEvaluation): GateSums {
  let [parentSum, childSum] = [0, 0];
  for (const [exampleId, before] of Object.entries(parent.scores)) {
    const after = child.scores[exampleId] ?? null;
    if (before === null || after === null) continue;
    parentSum += before;
    childSum += after;
  }
  return { parentSum, childSum };
}

/** A child must have the higher sum; what only rounding could explain is no improvement. */
export function isStrictImprovement({ parentSum, childSum }: GateSums): boolean {
  return childSum - parentSum > rounding;
}

const rounding = 1e-9;
