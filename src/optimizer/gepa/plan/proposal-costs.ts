import type { SearchSpace } from "../../task/search-space.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import type { Amounts, PlannedRun } from "../strategy/costs.ts";

/** What proposals take, in metric calls and in texts, as the strategies declare it. */
export interface ProposalCosts {
  /** The fewest that a proposal takes, if any. */
  readonly fewest: number;
  /** What must be left for one to begin: at least, as a rule, and at most. */
  readonly begins: Amounts;
  readonly typicallyRefused: number;
  /** The most that an acceptance takes, with what is run to learn from. */
  readonly accepted: number;
  /** The fewest of an evaluation on all of val, and what comes with it. */
  readonly wholeVal: number;
  /** Texts of one proposal at most, second tries included. */
  readonly texts: number;
  /** Proposals for one that is written: merges are not. */
  readonly perWritten: number;
  /** Before the first proposal, of so many calls that the seed's evaluation leaves. */
  readonly exploration: (left: number) => Amounts;
}

export function proposalCosts(
  { train, val }: SearchSpace,
  settings: GepaSettings,
  components: number,
): ProposalCosts {
  const { minibatchSize, gateAbove, inheritance, validation } = settings;
  const run = { train: train.length, val: val.length, components, minibatchSize };
  const { examples, exploration } = settings.minibatch.costs?.(run) ?? { examples: minibatchSize };
  const size = Math.min(examples, train.length);
  const isGated = gateAbove !== null && val.length > gateAbove * minibatchSize;
  const reuses = inheritance.startsWith("trace");
  const learnsFromKnown = exploration !== undefined;
  // What learns from lessons runs examples only to find them: a proposal may be about one found
  // before.
  const runsFirst = learnsFromKnown ? 0 : size;
  const leastShown = isGated ? 2 * (learnsFromKnown ? 1 : size) : 0;
  const isOneByOne = settings.proposals.costs?.(run).proposals === 1;
  // Those of one iteration may share the runs of their parent.
  const leastOfParent = isOneByOne ? runsFirst : 0;
  const leastOnTrain = leastOfParent + Math.max(0, leastShown - runsFirst);
  const early = Math.min(rejectedOnVal(validation, run), val.length);
  // Lessons are looked for first, and their parent is then run again where scores are not reused.
  const mostOnTrain = isGated ? (!learnsFromKnown || reuses ? 2 : 3) * size : size;
  const asksTrain = settings.valAcceptance.costs?.(run).asksTrain ?? true;
  const again = !asksTrain ? 0 : !reuses ? 2 : isGated ? 0 : 1;
  const { texts } = settings.component.costs?.(run) ?? { texts: components };
  // What reuses all but one score takes one run, and so may a merge.
  const isCheap = reuses || settings.merge !== null;
  const onTrain = isGated ? 2 * size : size;
  const fewest = isCheap ? 1 : isGated ? leastOnTrain : leastOnTrain + early;
  const needed = (shown: number, run: number): number => (isGated ? shown : run) + val.length;
  return {
    fewest,
    begins: {
      least: isCheap || !isOneByOne ? fewest : needed(leastShown, runsFirst),
      typical: needed(onTrain, runsFirst),
      most: needed(mostOnTrain, Math.max(1, runsFirst)),
    },
    typicallyRefused: isGated ? onTrain : onTrain + early,
    accepted: mostOnTrain + val.length + again,
    wholeVal: isCheap ? 1 : leastOnTrain + val.length,
    texts: Math.min(components, texts) * (1 + settings.secondTries),
    perWritten: settings.merge === null ? 1 : 2,
    exploration: (left) =>
      // Where train selects and scores are reused, the seed's evaluation has run the examples that
      // teach.
      exploration === undefined || (train === val && reuses) ? noExploration : exploration(left),
  };
}

const noExploration: Amounts = { least: 0, typical: 0, most: 0 };

function rejectedOnVal(validation: GepaSettings["validation"], run: PlannedRun): number {
  return validation.costs?.(run).rejected ?? (validation.stop === undefined ? run.val : 1);
}
