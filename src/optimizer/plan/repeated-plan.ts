import { EspalierError } from "../../errors/index.ts";
import type { Budget } from "../budget/index.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";

/** A plan where each rollout takes several metric calls, from one where it takes one. */
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
    calls: calls && { ...calls, student: calls.student * repetitions },
    warnings: warnings.map(
      (warning) => `${warning} (In runs of ${repetitions} metric calls each.)`,
    ),
  };
}

/** Refuses what is no whole number of at least 1 with `option-invalid`. */
export function checkRepetitions(repetitions: number): void {
  if (Number.isInteger(repetitions) && repetitions >= 1) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "`repetitions` cannot take this value",
    expected: "a whole number of at least 1",
    got: String(repetitions),
  });
}
