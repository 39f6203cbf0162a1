import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan, PlannedProposals } from "../contract/optimizer-plan.ts";
import type { GepaSettings } from "./settings/gepa-settings.ts";
import { isGated } from "./settings/gepa-settings.ts";
import { sampleSize } from "./settings/val-sample.ts";
import type { Amounts } from "./strategy/strategy.ts";
import type { SearchSpace } from "../task/search-space.ts";

/** With fewer proposals, a search says nothing about a program. */
const minUseful = 3;

/**
 * What a budget allows. How many scores are reused is unknown before the run: `least` assumes
 * none, `most` all that can be.
 */
export function gepaPlan(
  space: SearchSpace,
  budget: Budget,
  { settings, components }: { readonly settings: GepaSettings; readonly components: number },
): OptimizerPlan {
  const seedEvaluation = sampleSize(space, settings, budget.metricCalls ?? Infinity);
  const costs = proposalCosts(space, settings, { components, onVal: seedEvaluation });
  const predictors = predictorCount(space.components);
  const { metricCalls } = budget;
  // Each text takes a call.
  const texts = Math.min(budget.reflectionCalls ?? Infinity, budget.lmCalls ?? Infinity);
  const left = Math.max(0, (metricCalls ?? Infinity) - seedEvaluation);
  const proposals =
    left === Infinity && texts === Infinity ? null : proposalsIn(left, texts, costs);
  const longestText = settings.proposer.costs?.().longestText;
  const written =
    proposals === null
      ? null
      : Math.min(texts, proposals.expected * Math.min(costs.texts, components));
  const enough = proposals === null || proposals.least >= minUseful;
  return {
    seedEvaluation,
    perProposal: { refused: costs.fewest, accepted: costs.accepted },
    proposals,
    fullValidations: proposals && 1 + Math.min(proposals.most, wholeValsIn(left, costs)),
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
  { begins, accepted, texts, exploration }: ProposalCosts,
): string {
  const enough = begins.most + (minUseful - 1) * accepted;
  let left = enough;
  while (left - exploration(left).most < enough) left++;
  const needed = seed + left;
  const has = `${least === 0 ? "no" : `only ${least}`} ${least === 1 ? "proposal" : "proposals"}`;
  if (metricCalls === undefined || metricCalls >= needed) {
    const what = byText === reflectionCalls ? "reflection calls" : "LM calls";
    return (
      `A budget of ${byText} ${what} may allow ${has}: each takes up to ${texts}. ` +
      `Use at least ${minUseful * texts}.`
    );
  }
  const first = exploration(metricCalls - seed).most;
  const explored = first <= 0 ? "" : `, the first runs on train up to ${first}`;
  return (
    `A budget of ${metricCalls} metric calls may allow ${has}: evaluating the seed takes ${seed}${explored}, ` +
    `and each accepted proposal up to ${accepted}. Use at least ${needed}.`
  );
}

/** What proposals cost, in metric calls and in texts, as the strategies declare it. */
interface ProposalCosts {
  /** The minimum that a proposal spends, if it spends any. */
  readonly fewest: number;
  /** What must be left for a proposal to begin: minimum, typical and maximum. */
  readonly begins: Amounts;
  readonly typicallyRejected: number;
  /** The maximum that an acceptance takes, including the runs to learn from. */
  readonly accepted: number;
  /** The minimum of an evaluation on val, and what comes with it. */
  readonly wholeVal: number;
  /** Maximum number of texts of one proposal, including second tries. */
  readonly texts: number;
  /** Proposals per written one: merges are not written. */
  readonly perWritten: number;
  /** Cost before the first proposal, given the calls `left` after the seed's evaluation. */
  readonly exploration: (left: number) => Amounts;
}

function proposalCosts(
  { train, val }: SearchSpace,
  settings: GepaSettings,
  { components, onVal }: { readonly components: number; readonly onVal: number },
): ProposalCosts {
  const { minibatchSize, scoreReuse } = settings;
  const run = { train: train.length, val: val.length, components, minibatchSize };
  const { examples, exploration } = settings.minibatch.costs?.(run) ?? { examples: minibatchSize };
  const size = Math.min(examples, train.length);
  const mustPass = isGated(settings, onVal);
  const reuses = scoreReuse === "trace";
  const learnsFromKnown = exploration !== undefined;
  // A strategy that learns from lessons runs examples only to find them: a proposal may address one
  // found before.
  const runsFirst = learnsFromKnown ? 0 : size;
  const minShown = mustPass ? 2 * (learnsFromKnown ? 1 : size) : 0;
  const isOneByOne = settings.proposals.costs?.(run).proposals === 1;
  // Proposals of one iteration may share the runs of their parent.
  const minParentRuns = isOneByOne ? runsFirst : 0;
  const minOnTrain = minParentRuns + Math.max(0, minShown - runsFirst);
  // Lessons are looked for first; without score reuse their parent is then run again.
  const maxOnTrain = mustPass ? (!learnsFromKnown || reuses ? 2 : 3) * size : size;
  const asksTrain = settings.valAcceptance.costs?.(run).asksTrain ?? true;
  const again = !asksTrain ? 0 : !reuses ? 2 : mustPass ? 0 : 1;
  const { texts } = settings.component.costs?.(run) ?? { texts: components };
  // If all but one score is reused, a proposal takes one run, and so may a merge.
  const isCheap = reuses || settings.merge !== null;
  const onTrain = mustPass ? 2 * size : size;
  const fewest = isCheap ? 1 : mustPass ? minOnTrain : minOnTrain + onVal;
  const needed = (shown: number, run: number): number => (mustPass ? shown : run) + onVal;
  return {
    fewest,
    begins: {
      least: isCheap || !isOneByOne ? fewest : needed(minShown, runsFirst),
      typical: needed(onTrain, runsFirst),
      most: needed(maxOnTrain, Math.max(1, runsFirst)),
    },
    typicallyRejected: mustPass ? onTrain : onTrain + onVal,
    accepted: maxOnTrain + onVal + again,
    wholeVal: isCheap ? 1 : minOnTrain + onVal,
    texts: Math.min(components, texts) * (1 + settings.secondTries),
    perWritten: settings.merge === null ? 1 : 2,
    exploration: (left) =>
      // If train selects and scores are reused, the seed's evaluation has already run the examples
      // that teach.
      exploration === undefined || (train === val && reuses && onVal === val.length)
        ? noExploration
        : exploration(left),
  };
}

const noExploration: Amounts = { least: 0, typical: 0, most: 0 };
