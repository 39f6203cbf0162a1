import type { SearchSpace } from "../../task/search-space.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import { mustPassMinibatch } from "../settings/must-pass-minibatch.ts";
import type { Amounts, PlannedRun } from "../strategy/costs.ts";

/** What proposals cost, in metric calls and in texts, as the strategies declare it. */
export interface ProposalCosts {
  /** The minimum that a proposal spends, if it spends any. */
  readonly fewest: number;
  /** What must be left for a proposal to begin: minimum, typical and maximum. */
  readonly begins: Amounts;
  readonly typicallyRejected: number;
  /** The maximum that an acceptance takes, including the runs to learn from. */
  readonly accepted: number;
  /** Examples of val that no panel holds. */
  readonly offPanel: number;
  /** The minimum of an evaluation on all of val, and what comes with it. */
  readonly wholeVal: number;
  /** Maximum number of texts of one proposal, including second tries. */
  readonly texts: number;
  /** Proposals per written one: merges are not written. */
  readonly perWritten: number;
  /** Cost before the first proposal, given the calls `left` after the seed's evaluation. */
  readonly exploration: (left: number) => Amounts;
}

export function proposalCosts(
  { train, val }: SearchSpace,
  settings: GepaSettings,
  components: number,
): ProposalCosts {
  const { minibatchSize, scoreReuse, validation } = settings;
  const run = { train: train.length, val: val.length, components, minibatchSize };
  const { examples, exploration } = settings.minibatch.costs?.(run) ?? { examples: minibatchSize };
  const size = Math.min(examples, train.length);
  const { most: onVal = val.length } = validation.costs?.(run) ?? {};
  const isGated = mustPassMinibatch(settings, { onVal });
  const reuses = scoreReuse.sharesByTrace;
  const learnsFromKnown = exploration !== undefined;
  // A strategy that learns from lessons runs examples only to find them: a proposal may address one
  // found before.
  const runsFirst = learnsFromKnown ? 0 : size;
  const leastShown = isGated ? 2 * (learnsFromKnown ? 1 : size) : 0;
  const isOneByOne = settings.proposals.costs?.(run).proposals === 1;
  // Proposals of one iteration may share the runs of their parent.
  const leastOfParent = isOneByOne ? runsFirst : 0;
  const leastOnTrain = leastOfParent + Math.max(0, leastShown - runsFirst);
  const early = Math.min(rejectedOnVal(validation, run), val.length);
  // Lessons are looked for first; without score reuse their parent is then run again.
  const mostOnTrain = isGated ? (!learnsFromKnown || reuses ? 2 : 3) * size : size;
  const asksTrain = settings.valAcceptance.costs?.(run).asksTrain ?? true;
  const again = !asksTrain ? 0 : !reuses ? 2 : isGated ? 0 : 1;
  // Whether a lesson was acted on is found out by one run more.
  const learnt = learnsFromKnown ? 1 : 0;
  const { texts } = settings.component.costs?.(run) ?? { texts: components };
  // If all but one score is reused, a proposal takes one run, and so may a merge.
  const isCheap = reuses || settings.merge !== null;
  const onTrain = isGated ? 2 * size : size;
  const fewest = isCheap ? 1 : isGated ? leastOnTrain : leastOnTrain + early;
  const needed = (shown: number, run: number): number => (isGated ? shown : run) + onVal;
  return {
    fewest,
    begins: {
      least: isCheap || !isOneByOne ? fewest : needed(leastShown, runsFirst),
      typical: needed(onTrain, runsFirst),
      most: needed(mostOnTrain, Math.max(1, runsFirst)),
    },
    typicallyRejected: isGated ? onTrain : onTrain + early,
    accepted: mostOnTrain + onVal + again + learnt,
    offPanel: validation.panel === undefined ? 0 : val.length - onVal,
    wholeVal: isCheap ? 1 : leastOnTrain + onVal,
    texts: Math.min(components, texts) * (1 + settings.secondTries),
    perWritten: settings.merge === null ? 1 : 2,
    exploration: (left) =>
      // If train selects and scores are reused, the seed's evaluation has already run the examples
      // that teach.
      exploration === undefined || (train === val && reuses) ? noExploration : exploration(left),
  };
}

const noExploration: Amounts = { least: 0, typical: 0, most: 0 };

function rejectedOnVal(validation: GepaSettings["validation"], run: PlannedRun): number {
  return validation.costs?.(run).rejected ?? (validation.stop === undefined ? run.val : 1);
}
