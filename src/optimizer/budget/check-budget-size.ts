import { EspalierError } from "../../errors/index.ts";
import type { Budget } from "./index.ts";

/** Throws `budget-exhausted` if one evaluation of the seed exceeds the budget. */
export function checkBudgetSize(
  budget: Budget,
  caps: readonly ("metricCalls" | "lmCalls" | "tokens")[],
  {
    examples,
    repetitions,
    purpose,
  }: {
    /** Number of examples in the split that selects. */
    readonly examples: number;
    /** Metric calls per example. */
    readonly repetitions: number;
    /** What the evaluation is for, as shown in the error message. */
    readonly purpose: string;
  },
): void {
  const needed = examples * repetitions;
  for (const cap of caps) {
    const limit = budget[cap];
    if (limit === undefined || limit >= needed) continue;
    throw new EspalierError({
      code: "budget-exhausted",
      problem: "The budget is smaller than one evaluation",
      expected: `\`${cap}\` of at least ${needed}, ${repetitions === 1 ? "one" : repetitions} for each example of split \`val\`, to score the seed${purpose}`,
      got: `${limit}`,
      fix: "Raise the budget: about ten times this minimum is useful. Nothing was spent.",
    });
  }
}
