import type { Budget } from "../../budget/index.ts";
import type { OptimizerPlan, PlannedProposals } from "../../contract/optimizer-plan.ts";
import { predictorCount } from "../../candidate/predictor-count.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import { keptOf } from "../settings/kept-of.ts";
import type { ProposalCosts } from "./proposal-costs.ts";
import { proposalCosts } from "./proposal-costs.ts";

/** With fewer proposals, a search says nothing about a program. */
const fewestUseful = 3;
/** A val smaller than this should not be made smaller still. */
const largeVal = 50;

/**
 * What a budget allows. How many scores are reused is unknown before the run: `least` assumes
 * none, `most` all that can be.
 */
export function gepaPlan(
  space: SearchSpace,
  budget: Budget,
  { settings, components }: { readonly settings: GepaSettings; readonly components: number },
): OptimizerPlan {
  const seedEvaluation = space.val.length;
  const costs = proposalCosts(space, settings, components);
  const predictors = predictorCount(space.components);
  const { metricCalls } = budget;
  // Each text takes a call.
  const texts = Math.min(budget.reflectionCalls ?? Infinity, budget.lmCalls ?? Infinity);
  const afterSeed = Math.max(0, (metricCalls ?? Infinity) - seedEvaluation);
  const left = afterSeed - keptOf(afterSeed, costs.offPanel);
  const proposals =
    left === Infinity && texts === Infinity ? null : proposalsIn(left, texts, costs);
  const longestText = settings.proposer.costs?.().longestText;
  const written =
    proposals === null
      ? null
      : Math.min(texts, proposals.expected * Math.min(costs.texts, components));
  const enough = proposals === null || proposals.least >= fewestUseful;
  return {
    seedEvaluation,
    perProposal: { refused: costs.fewest, accepted: costs.accepted },
    proposals,
    fullValidations: proposals && 1 + Math.min(proposals.most, wholeValsIn(afterSeed, costs)),
    calls:
      written === null || metricCalls === undefined
        ? null
        : { student: metricCalls * predictors, reflection: written },
    examplesPerText: Math.min(settings.minibatchSize, space.train.length),
    ...(longestText !== undefined && { longestText }),
    warnings: enough ? [] : [fewProposals(budget, texts, proposals.least, seedEvaluation, costs)],
  };
}

function proposalsIn(left: number, byText: number, costs: ProposalCosts): PlannedProposals {
  const { fewest, begins, typicallyRejected, accepted, texts, perWritten, exploration } = costs;
  const explored = exploration(left);
  // A proposal begins only if it could be carried to its end.
  const startable = (calls: number, needed: number, each: number): number =>
    calls < needed ? 0 : Math.floor((calls - needed) / each) + 1;
  const most = Math.min(
    startable(left - explored.least, begins.least, fewest),
    perWritten * byText,
  );
  const least = Math.min(
    startable(left - explored.most, begins.most, accepted),
    Math.floor(byText / texts),
  );
  const expected = Math.min(
    startable(left - explored.typical, begins.typical, (typicallyRejected + accepted) / 2),
    Math.floor((2 * byText) / (1 + texts)),
    most,
  );
  return { least, expected: Math.max(least, expected), most };
}

function wholeValsIn(left: number, { wholeVal, exploration }: ProposalCosts): number {
  return Math.floor((left - exploration(left).least) / wholeVal);
}

function fewProposals(
  { metricCalls, reflectionCalls }: Budget,
  byText: number,
  least: number,
  seed: number,
  { begins, accepted, offPanel, texts, exploration }: ProposalCosts,
): string {
  const enough = begins.most + (fewestUseful - 1) * accepted;
  let left = enough;
  const kept = (calls: number): number => keptOf(calls, offPanel);
  while (left - kept(left) - exploration(left - kept(left)).most < enough) left++;
  const needed = seed + left;
  const has = `${least === 0 ? "no" : `only ${least}`} ${least === 1 ? "proposal" : "proposals"}`;
  if (metricCalls === undefined || metricCalls >= needed) {
    const what = byText === reflectionCalls ? "reflection calls" : "LM calls";
    return (
      `A budget of ${byText} ${what} may allow ${has}: each takes up to ${texts}. ` +
      `Use at least ${fewestUseful * texts}.`
    );
  }
  const first = exploration(metricCalls - seed).most;
  const explored = first <= 0 ? "" : `, the first runs on train up to ${first}`;
  return (
    `A budget of ${metricCalls} metric calls may allow ${has}: evaluating the seed takes ${seed}${explored}, ` +
    `and each accepted proposal up to ${accepted}. Use at least ${needed}${seed > largeVal ? ", or a smaller val" : ""}.`
  );
}
