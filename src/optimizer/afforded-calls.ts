import type { Budget, PriceTable } from "./budget/index.ts";
import type { OptimizerPlan, PlannedCosts } from "./optimizer-plan.ts";
import type { RolloutEstimate } from "./plan-costs.ts";
import { planCosts, studentCosts, usdOf } from "./plan-costs.ts";

/** About how many metric calls a cap on tokens or money allows. */
export type AffordedCalls = NonNullable<OptimizerPlan["afforded"]>;

/**
 * Turns the caps on tokens and money into metric calls, by what one and its share of the reflection are
 * estimated to cost; `null` where neither is the tightest cap.
 */
export function affordedCalls(
  budget: Budget,
  {
    rollout,
    prices,
    repetitions,
    planFor,
  }: {
    readonly rollout: RolloutEstimate;
    readonly prices: PriceTable | undefined;
    readonly repetitions: number;
    readonly planFor: (budget: Budget) => OptimizerPlan;
  },
): AffordedCalls | null {
  const caps = [
    ["tokens", budget.tokens, tokensOf],
    ["costUsd", budget.costUsd, ({ usd }: Pick<PlannedCosts, "usd">) => usd?.typical ?? 0],
  ] as const;
  const one = studentCosts(rollout.calls, rollout);
  const all = caps.flatMap(([cap, limit, costOf]) => {
    if (limit === undefined) return [];
    const perCall = costOf({ student: one, usd: usdOf({ student: one }, prices) });
    // What is free is bounded by other caps alone.
    if (perCall === 0) return [];
    const alone = Math.floor(limit / perCall);
    const costs = planCosts(planFor({ ...budget, metricCalls: alone }), rollout, prices);
    const cost = costs === null ? limit : costOf(costs);
    const metricCalls = Math.floor(alone * Math.min(1, limit / cost));
    return [{ cap, limit, metricCalls: metricCalls - (metricCalls % repetitions) }];
  });
  const [tightest] = all.toSorted((left, right) => left.metricCalls - right.metricCalls);
  const isTightest = (tightest?.metricCalls ?? Infinity) < (budget.metricCalls ?? Infinity);
  return tightest !== undefined && isTightest ? tightest : null;
}

function tokensOf({
  student,
  reflection,
}: Pick<PlannedCosts, "student"> & Partial<Pick<PlannedCosts, "reflection">>): number {
  return [student, reflection].reduce(
    (sum, role) =>
      role === undefined ? sum : sum + role.promptTokens + role.completionTokens.typical,
    0,
  );
}
