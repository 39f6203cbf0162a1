import type { Budget, PriceTable } from "./budget/index.ts";
import { checkBudget } from "./budget/index.ts";
import { checkTask } from "./check-task.ts";
import type { OptimizerPlan } from "./optimizer-plan.ts";
import type { Optimizer, OptimizerTask } from "./optimizer.ts";
import { planCosts } from "./plan-costs.ts";
import { programSpace } from "./program-space.ts";
import { checkRepetitions, repeatedPlan } from "./repeated-plan.ts";

/** What a budget allows, with nothing spent; refuses what `optimize()` would refuse. */
export function planOptimization<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  {
    optimizer,
    budget = optimizer.budget ?? {},
    prices,
    repetitions = 1,
  }: {
    readonly optimizer: Optimizer;
    /** @default the optimizer's own */
    readonly budget?: Budget;
    readonly prices?: PriceTable;
    /** Runs of each example. @default 1 */
    readonly repetitions?: number;
  },
): OptimizerPlan {
  const roles = ["student", "reflection"] as const;
  checkBudget(budget, { prices, roles, endsByItself: optimizer.endsByItself });
  checkRepetitions(repetitions);
  checkTask(task, budget, repetitions);
  const space = programSpace(task);
  const plan = repeatedPlan(repetitions, budget, (cap) => optimizer.doPlan(space, cap));
  const costs = planCosts(task, plan, prices);
  return costs === null ? plan : { ...plan, costs };
}
