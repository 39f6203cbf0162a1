import type { Budget, PriceTable } from "./budget/index.ts";
import { checkBudget } from "./budget/index.ts";
import { checkTask } from "./check-task.ts";
import type { OptimizerPlan } from "./optimizer-plan.ts";
import type { Optimizer, OptimizerTask } from "./optimizer.ts";
import { programSpace } from "./program-space.ts";

/** What a budget allows, with nothing spent; refuses what `optimize()` would refuse. */
export function planOptimization<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  {
    optimizer,
    budget = optimizer.budget ?? {},
    prices,
  }: {
    readonly optimizer: Optimizer;
    /** @default the optimizer's own */
    readonly budget?: Budget;
    readonly prices?: PriceTable;
  },
): OptimizerPlan {
  checkBudget(budget, { prices, endsByItself: optimizer.endsByItself });
  checkTask(task, budget);
  return optimizer.doPlan(programSpace(task), budget);
}
