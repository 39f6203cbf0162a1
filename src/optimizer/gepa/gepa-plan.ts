import type { Budget } from "../budget/index.ts";
import type { OptimizerPlan } from "../optimizer-plan.ts";
import type { SearchSpace } from "../search-space.ts";

/** Fewer proposals than these say nothing about a program. */
const fewestUseful = 3;

/**
 * What a budget in metric calls allows. An iteration begins only if it could end in an acceptance: parent
 * and child on the minibatch, and the child on val.
 */
export function gepaPlan(
  { train, val }: SearchSpace,
  budget: Budget,
  { minibatchSize, components: predictors }: { minibatchSize: number; components: number },
): OptimizerPlan {
  const seedEvaluation = val.length;
  const refused = 2 * Math.min(minibatchSize, train.length);
  const accepted = refused + seedEvaluation;
  const perProposal = { refused, accepted };
  const cap = budget.metricCalls;
  if (cap === undefined) {
    return { seedEvaluation, perProposal, proposals: null, calls: null, warnings: [] };
  }
  const left = cap - seedEvaluation;
  const least = Math.floor(left / accepted);
  const most = left < accepted ? 0 : Math.floor((left - accepted) / refused) + 1;
  return {
    seedEvaluation,
    perProposal,
    proposals: { least, most },
    calls: { student: cap * predictors, reflection: most },
    warnings: least >= fewestUseful ? [] : [fewProposals(cap, least, seedEvaluation, accepted)],
  };
}

function fewProposals(cap: number, least: number, seed: number, accepted: number): string {
  const needed = seed + fewestUseful * accepted;
  return (
    `A budget of ${cap} metric calls may allow no more than ${least} ${least === 1 ? "proposal" : "proposals"}: ` +
    `the seed's evaluation takes ${seed}, each accepted proposal ${accepted}. Give ${needed} or more, or make val smaller.`
  );
}
