import type { LmRole } from "../../contract/index.ts";
import { checkCount } from "../../internal/index.ts";
import type { AffordedCalls } from "./afforded-calls.ts";
import { affordedCalls } from "./afforded-calls.ts";
import { askedRoles } from "./asked-roles.ts";
import type { Budget, PriceTable } from "../budget/index.ts";
import { checkBudget } from "../budget/index.ts";
import { checkTask } from "./check-task.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import type { OptimizerTask } from "../task/optimizer-task.ts";
import { planCosts, rolloutEstimate, studentCosts, usdOf } from "./plan-costs.ts";
import { predictorCount } from "../candidate/predictor-count.ts";
import { programSpace } from "../task/program-space.ts";
import { repeatedPlan } from "./repeated-plan.ts";

/** What a budget allows, without spending anything; throws what `optimize()` would throw. */
export function planOptimization<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  {
    optimizer,
    budget = optimizer.budget ?? {},
    prices,
    repetitions = 1,
    roles = ["student", "reflection"],
  }: {
    readonly optimizer: Optimizer;
    /** @default the optimizer's own */
    readonly budget?: Budget;
    readonly prices?: PriceTable;
    /** Runs per example. @default 1 */
    readonly repetitions?: number;
    /**
     * Roles that need a price under a budget in money, if the optimizer calls them. @default
     * student and reflection
     */
    readonly roles?: readonly LmRole[];
  },
): OptimizerPlan {
  checkBudget(budget, {
    prices,
    roles: askedRoles(optimizer, roles),
    endsByItself: optimizer.endsByItself,
  });
  checkCount("repetitions", repetitions);
  const space = programSpace(task);
  checkTask(task, space, { budget, repetitions });
  const planFor = (caps: Budget): OptimizerPlan =>
    repeatedPlan(repetitions, caps, (cap) => ({
      ...optimizer.doPlan(space, cap),
      ...(space.leftOut && { leftOut: space.leftOut }),
    }));
  const rollout = rolloutEstimate(task);
  if (rollout === null) return planFor(withLmCalls(budget, predictorCount(space.components)));
  const afforded = affordedCalls(budget, { rollout, prices, repetitions, planFor });
  const plan =
    afforded === null
      ? planFor(budget)
      : planFor({ ...budget, metricCalls: Math.max(1, afforded.metricCalls) });
  const costs = planCosts(plan, rollout, prices);
  const student = studentCosts(rollout.calls, rollout);
  return {
    ...plan,
    ...(costs && { costs }),
    perRollout: { ...student, usd: usdOf({ student }, prices) },
    ...(afforded && {
      afforded,
      warnings: plan.warnings.map((warning) => `${warning} ${affordedText(afforded)}`),
    }),
  };
}

/** If nothing can be rendered, a rollout counts as one call per predictor. */
function withLmCalls(budget: Budget, predictors: number): Budget {
  const { metricCalls = Infinity, lmCalls } = budget;
  if (lmCalls === undefined) return budget;
  const rollouts = Math.max(1, Math.floor(lmCalls / Math.max(1, predictors)));
  return { ...budget, metricCalls: Math.min(metricCalls, rollouts) };
}

function affordedText({ cap, limit, reserved, metricCalls }: AffordedCalls): string {
  const unit = { lmCalls: "LM calls", tokens: "tokens", costUsd: "US dollars" }[cap];
  const kept = Number(reserved.toPrecision(2));
  const free =
    kept === 0
      ? ""
      : ` ${kept} of it is reserved for one reply of the full \`maxCompletionTokens\`.`;
  return `(Estimate: a cap of ${limit} ${unit} allows about ${metricCalls} metric calls.${free})`;
}
