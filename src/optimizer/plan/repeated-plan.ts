import type { Budget } from "../budget/index.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";

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
  const { seedEvaluation, perProposal, calls, warnings } = plan;
  return {
    ...plan,
    seedEvaluation: seedEvaluation * repetitions,
    perProposal: {
      refused: perProposal.refused * repetitions,
      accepted: perProposal.accepted * repetitions,
    },
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
