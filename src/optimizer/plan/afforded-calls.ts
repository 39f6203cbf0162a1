import type { Budget, PriceTable } from "../budget/index.ts";
import type { OptimizerPlan, PlannedCosts } from "../contract/optimizer-plan.ts";
import type { RolloutEstimate } from "./plan-costs.ts";
import { longestCalls, planCosts, studentCosts, usdOf } from "./plan-costs.ts";

/** About how many metric calls a cap on LM calls, tokens or money allows. */
export type AffordedCalls = NonNullable<OptimizerPlan["afforded"]>;

type Costs = Pick<PlannedCosts, "usd" | "student"> &
  Partial<Pick<PlannedCosts, "reflection" | "teacher">>;

/**
 * Converts the caps on LM calls, tokens and money into metric calls, using the estimated cost of
 * one call and its share of reflection; `null` if none of them is the tightest cap.
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
    ["lmCalls", budget.lmCalls, callsOf],
    ["tokens", budget.tokens, tokensOf],
    ["costUsd", budget.costUsd, ({ usd }: Costs) => usd?.typical ?? 0],
  ] as const;
  const one = studentCosts(rollout.calls, rollout);
  const all = caps.flatMap(([cap, limit, costOf]): readonly AffordedCalls[] => {
    if (limit === undefined) return [];
    const perCall = costOf({ student: one, usd: usdOf({ student: one }, prices) });
    // Only other caps bound free calls.
    if (perCall === 0) return [];
    const alone = Math.floor(limit / perCall);
    const plan = planFor({ ...budget, metricCalls: alone });
    const costs = planCosts(plan, rollout, prices);
    const cost = costs === null ? limit : costOf(costs);
    const longest = longestCalls(plan, rollout, prices);
    const [ofStudent, ofText] = [longest.student[cap], longest.reflection[cap]];
    const within = (free: number): number =>
      Math.floor(Math.max(0, alone * Math.min(1, limit / cost) * (1 - free / limit)));
    // The seed is evaluated in any case; after the last text that fits, a proposal's runs may still
    // fit.
    const beforeText = within(Math.max(ofText, ofStudent));
    const after = Math.min(plan.perProposal.accepted, (ofText - ofStudent) / perCall);
    const metricCalls =
      beforeText > plan.seedEvaluation
        ? beforeText + Math.max(0, Math.floor(after))
        : Math.min(within(ofStudent), plan.seedEvaluation);
    const reserved = Math.max(ofText, ofStudent);
    return [{ cap, limit, reserved, metricCalls: metricCalls - (metricCalls % repetitions) }];
  });
  const [tightest] = all.toSorted((left, right) => left.metricCalls - right.metricCalls);
  const isTightest = (tightest?.metricCalls ?? Infinity) < (budget.metricCalls ?? Infinity);
  return tightest !== undefined && isTightest ? tightest : null;
}

function callsOf({ student, reflection, teacher }: Costs): number {
  return student.calls + (reflection?.calls ?? 0) + (teacher?.calls ?? 0);
}

function tokensOf({ student, reflection, teacher }: Costs): number {
  return [student, reflection, teacher].reduce(
    (sum, role) =>
      role === undefined ? sum : sum + role.promptTokens + role.completionTokens.typical,
    0,
  );
}
