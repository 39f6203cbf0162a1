import type { SearchSpace } from "../../task/search-space.ts";
import type { GepaSettings } from "../settings/gepa-settings.ts";
import { initialShare } from "../minibatch/targeted-lessons.ts";

/** What proposals take, in metric calls and in texts; of strategies that are not known here, the usual. */
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

interface Amounts {
  readonly least: number;
  readonly typical: number;
  readonly most: number;
}

export function proposalCosts(
  { train, val }: SearchSpace,
  settings: GepaSettings,
  components: number,
): ProposalCosts {
  const { minibatchSize, gateAbove, minibatch, inheritance, validation } = settings;
  const size = Math.min(numberIn(minibatch.settings, "size") ?? minibatchSize, train.length);
  const isGated = gateAbove !== null && val.length > gateAbove * minibatchSize;
  const inherits = inheritance.startsWith("trace");
  const initial = numberIn(minibatch.settings, "initial");
  // What learns from lessons runs examples only to find them: a proposal may be about one found before.
  const runsFirst = initial === undefined ? size : 0;
  const leastShown = isGated ? 2 * (initial === undefined ? size : 1) : 0;
  const { parents, proposals } = Object(settings.proposals.settings) as Record<string, unknown>;
  const isOneByOne = parents === 1 && proposals === 1;
  // Those of one iteration may share the runs of their parent.
  const leastOfParent = isOneByOne ? runsFirst : 0;
  const leastOnTrain = leastOfParent + Math.max(0, leastShown - runsFirst);
  const early =
    validation.stop === undefined
      ? val.length
      : Math.min(numberIn(validation.settings, "size") ?? 1, val.length);
  // Lessons are looked for first, and their parent is then run again where it does not inherit.
  const mostOnTrain = isGated ? (initial === undefined || inherits ? 2 : 3) * size : size;
  const asksTrain = settings.valAcceptance.name === "neutral-by-training";
  const again = !asksTrain ? 0 : !inherits ? 2 : isGated ? 0 : 1;
  // What inherits all but one score takes one run, and so may a merge.
  const isCheap = inherits || settings.merge !== null;
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
    texts:
      (settings.component.name === "round-robin" ? 1 : components) * (1 + settings.secondTries),
    perWritten: settings.merge === null ? 1 : 2,
    exploration: (left) => {
      // The seed's evaluation has then run the examples that teach.
      if (initial === undefined || (train === val && inherits)) return noExploration;
      const most = Math.min(train.length, Math.floor(initialShare * left));
      return { least: Math.min(1, left), typical: Math.min(initial, most), most };
    },
  };
}

const noExploration: Amounts = { least: 0, typical: 0, most: 0 };

function numberIn(settings: object | undefined, name: string): number | undefined {
  const value: unknown = Object(settings)[name];
  return typeof value === "number" ? value : undefined;
}
