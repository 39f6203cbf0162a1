import type { LmRole } from "../../contract/index.ts";
import { checkCount } from "../../internal/index.ts";
import type { Budget, PriceTable } from "../budget/index.ts";
import { checkBudgetSize } from "../budget/budget.ts";
import { checkBudget, withReflectionCap } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import type { AffordedCalls } from "./plan-costs.ts";
import { affordedCalls, planCosts, rolloutEstimate, studentCosts, usdOf } from "./plan-costs.ts";
import { checkTask } from "./check-task.ts";
import type { OptimizerTask } from "../task/program-space.ts";
import { programSpace } from "../task/program-space.ts";

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
  const capped = withReflectionCap(budget, { ...optimizer, repetitions });
  return planDescribed(task, { optimizer, budget: capped, prices, repetitions }, roles);
}

/** The same for a run whose budget has its cap on reflections. */
export function planDescribed<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  {
    optimizer,
    budget,
    prices,
    repetitions,
  }: {
    readonly optimizer: Optimizer;
    readonly budget: Budget;
    readonly prices: PriceTable | undefined;
    readonly repetitions: number;
  },
  roles: readonly LmRole[],
): OptimizerPlan {
  checkCount("repetitions", repetitions);
  checkBudget(budget, {
    prices,
    roles: askedRoles(optimizer, roles),
    endsByItself: optimizer.endsByItself,
  });
  const space = programSpace(task);
  checkTask(task, space);
  const { reflectionCalls } = optimizer.asksReflection === false ? {} : budget;
  const planFor = (caps: Budget): OptimizerPlan =>
    repeatedPlan(repetitions, caps, (cap) => ({
      ...optimizer.doPlan(space, cap),
      ...(reflectionCalls !== undefined && { maxReflections: reflectionCalls }),
      ...(space.leftOut && { leftOut: space.leftOut }),
    }));
  // A rollout takes at least one call, and a call at least one token.
  checkBudgetSize(budget, ["metricCalls", "lmCalls", "tokens"], {
    ...planFor(budget),
    repetitions,
    purpose: ` by \`${task.objective.name}\``,
  });
  const rollout = rolloutEstimate(task);
  const afforded =
    rollout === null
      ? affordedUnrendered(budget, predictorCount(space.components))
      : affordedCalls(budget, { rollout, prices, repetitions, planFor });
  const plan =
    afforded === null
      ? planFor(budget)
      : planFor({ ...budget, metricCalls: Math.max(1, afforded.metricCalls) });
  const costs = rollout && planCosts(plan, rollout, prices);
  const student = rollout && studentCosts(rollout.calls, rollout);
  return {
    ...plan,
    ...(costs && { costs }),
    ...(student && { perRollout: { ...student, usd: usdOf({ student }, prices) } }),
    ...(afforded && {
      afforded,
      warnings: plan.warnings.map((warning) => `${warning} ${affordedText(afforded)}`),
    }),
  };
}

/** If nothing can be rendered, a rollout counts as one call per predictor. */
function affordedUnrendered(budget: Budget, predictors: number): AffordedCalls | null {
  const { metricCalls: most = Infinity, lmCalls: limit = Infinity } = budget;
  const metricCalls = Math.floor(limit / Math.max(1, predictors));
  return metricCalls < most ? { cap: "lmCalls", limit, reserved: 0, metricCalls } : null;
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

/** Converts a plan with one metric call per rollout into one with several. */
export function repeatedPlan(
  repetitions: number,
  budget: Budget,
  planFor: (budget: Budget) => OptimizerPlan,
): OptimizerPlan {
  if (repetitions === 1) return planFor(budget);
  const { metricCalls, lmCalls } = budget;
  const plan = planFor({
    ...budget,
    ...(metricCalls !== undefined && { metricCalls: Math.floor(metricCalls / repetitions) }),
    ...(lmCalls !== undefined && { lmCalls: Math.floor(lmCalls / repetitions) }),
  });
  const { seedEvaluation, calls, warnings } = plan;
  return {
    ...plan,
    seedEvaluation: seedEvaluation * repetitions,
    calls: calls && {
      ...calls,
      student: calls.student * repetitions,
      ...(calls.teacher !== undefined && { teacher: calls.teacher * repetitions }),
    },
    warnings: warnings.map(
      (warning) => `${warning} (These counts are runs of ${repetitions} metric calls each.)`,
    ),
  };
}

/** The roles whose LMs a run of this optimizer can call. */
export function askedRoles(
  { asksReflection = true, teacherLm }: Pick<Optimizer, "asksReflection" | "teacherLm">,
  roles: readonly LmRole[],
): readonly LmRole[] {
  const asked = roles.filter((role) => role !== "reflection" || asksReflection);
  const isTaught = teacherLm !== undefined && roles.includes("student");
  return isTaught ? [...new Set<LmRole>([...asked, "teacher"])] : asked;
}
