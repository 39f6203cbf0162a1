import type { Budget } from "../budget/index.ts";
import type { OptimizerPlan, PlannedProposals } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** What a budget allows the parts together, each with its own caps or its share of what is left. */
export function inTurnPlan(
  optimizers: readonly Optimizer[],
  space: SearchSpace,
  budget: Budget,
): OptimizerPlan {
  let { metricCalls: left } = budget;
  const plans = optimizers.map((optimizer, place) => {
    const share = left === undefined ? undefined : Math.floor(left / (optimizers.length - place));
    const cap = smallest(optimizer.budget?.metricCalls ?? share, left);
    const { reflectionCalls } = optimizer.budget ?? {};
    const plan = optimizer.doPlan(space, {
      ...budget,
      ...(cap !== undefined && { metricCalls: cap }),
      ...(reflectionCalls !== undefined && { reflectionCalls }),
    });
    if (left !== undefined) left = Math.max(0, left - (cap ?? 0));
    return plan;
  });
  const [first] = plans as [OptimizerPlan];
  const calls = plans.map((plan) => plan.calls);
  const known = calls.flatMap((one) => one ?? []);
  const taught = known.flatMap(({ teacher }) => teacher ?? []);
  const longest = plans.flatMap(({ longestText }) => longestText ?? []);
  const chosen = plans.flatMap(({ searches }) => searches ?? []);
  return {
    ...(chosen.length > 0 && { searches: chosen }),
    seedEvaluation: first.seedEvaluation,
    perProposal: {
      refused: Math.min(...plans.map(({ perProposal }) => perProposal.refused)),
      accepted: Math.max(...plans.map(({ perProposal }) => perProposal.accepted)),
    },
    proposals: sumOfProposals(plans.map(({ proposals }) => proposals)),
    fullValidations: sumIfKnown(plans.map(({ fullValidations }) => fullValidations)),
    calls:
      known.length < calls.length
        ? null
        : {
            student: sumOf(known.map(({ student }) => student)),
            reflection: sumOf(known.map(({ reflection }) => reflection)),
            ...(taught.length > 0 && { teacher: sumOf(taught) }),
          },
    examplesPerText: Math.max(...plans.map(({ examplesPerText }) => examplesPerText)),
    ...(longest.length > 0 && { longestText: Math.max(...longest) }),
    warnings: plans.flatMap(({ warnings }, place) =>
      warnings.map((warning) => `${optimizers[place]?.name}: ${warning}`),
    ),
  };
}

function smallest(...caps: readonly (number | undefined)[]): number | undefined {
  const known = caps.filter((cap) => cap !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function sumOfProposals(plans: readonly (PlannedProposals | null)[]): PlannedProposals | null {
  const known = plans.flatMap((one) => one ?? []);
  if (known.length < plans.length) return null;
  return {
    least: sumOf(known.map(({ least }) => least)),
    expected: sumOf(known.map(({ expected }) => expected)),
    most: sumOf(known.map(({ most }) => most)),
  };
}

function sumIfKnown(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? null : sumOf(known);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
