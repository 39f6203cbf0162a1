import type {
  ComparedCandidate,
  ComparedExample,
  ComparedSource,
  Flip,
  ReplayedRollout,
  RunComparison,
  Side,
} from "../../../../../src/report/index.ts";
import { flipsOf, sideScores } from "../../../../../src/report/index.ts";
import type { SplitName } from "../../../../../src/contract/index.ts";

/** A candidate of a source. */
export type Member = Side["members"][number];

/** Look-ups in a comparison. */
export interface ComparisonIndex {
  readonly comparison: RunComparison;
  source(key: string): ComparedSource | undefined;
  candidate(member: Member): ComparedCandidate | undefined;
  /** Place of an example, by its id. */
  placeOf(id: string): number | undefined;
  /** Score on one example, the mean over the members that have one. */
  score(members: readonly Member[], split: SplitName, position: number): number | null;
  /** Splits on which both have scores, the one that selects first. */
  sharedSplits(one: readonly Member[], other: readonly Member[]): readonly SplitName[];
  /** Examples with different scores, the greatest change first. */
  flips(baseline: readonly Member[], other: readonly Member[], split: SplitName): readonly Flip[];
  rollout(member: Member, position: number): ReplayedRollout | undefined;
  /** Whether a run that the comparison does not hold can be asked for. */
  canAsk(member: Member): boolean;
  /** Asks for it. Rejects with an `Error` that says why there is none. */
  ask(member: Member, position: number): Promise<ReplayedRollout>;
  /** Places of the examples that a candidate has scores on, the split that selects first. */
  scoredPlaces(member: Member): readonly number[];
  /** Input, labels and id of an example, in lower case, for a search. */
  searchText(position: number): string;
}

export const splits: readonly SplitName[] = ["val", "test", "train"];

/** Gets single runs that a comparison does not hold. */
export interface RolloutService {
  has(source: string): boolean;
  get(member: Member, example: ComparedExample): Promise<OneRollout>;
}

/** A run without what names it in a comparison. */
export type OneRollout = Omit<ReplayedRollout, "source" | "candidate" | "example">;

const noService: RolloutService = {
  has: () => false,
  get: () => Promise.reject(new Error("This page has no server to ask.")),
};

/** @param service of a page with a server. @default none: a page that is a file */
export function comparisonIndex(
  comparison: RunComparison,
  service: RolloutService = noService,
): ComparisonIndex {
  const sources = new Map(comparison.sources.map((source) => [source.key, source]));
  const places = new Map(comparison.examples.map(({ id }, position) => [id, position]));
  const rollouts = new Map(comparison.rollouts.map((one) => [rolloutName(one, one.example), one]));
  const texts = new Map<number, string>();
  const index: ComparisonIndex = {
    comparison,
    source: (key) => sources.get(key),
    candidate: ({ source, candidate }) => sources.get(source)?.candidates[candidate],
    placeOf: (id) => places.get(id),
    score: (members, split, position) =>
      sideScores(comparison, sideOf(members), split).get(position) ?? null,
    sharedSplits: (one, other) =>
      splits.filter((split) => [one, other].every((members) => hasScores(members, split))),
    flips: (baseline, other, split) =>
      flipsOf(comparison, { baseline: sideOf(baseline), other: sideOf(other), split }),
    rollout: (member, position) => rollouts.get(rolloutName(member, position)),
    canAsk: ({ source }) => service.has(source),
    ask: async (member, position) => {
      const example = comparison.examples[position];
      if (example === undefined) throw new Error("There is no such example.");
      return { ...member, example: position, ...(await service.get(member, example)) };
    },
    scoredPlaces: (member) => {
      const side = sideOf([member]);
      return splits.flatMap((split) => [...sideScores(comparison, side, split).keys()]);
    },
    searchText: (position) => {
      const known = texts.get(position) ?? searchTextOf(position);
      texts.set(position, known);
      return known;
    },
  };
  return index;

  function hasScores(members: readonly Member[], split: SplitName): boolean {
    return members.some((member) => index.candidate(member)?.scores[split] !== undefined);
  }

  function searchTextOf(position: number): string {
    const example = comparison.examples[position];
    if (example === undefined) return "";
    const { id, input, labels } = example;
    return `${id}\n${JSON.stringify(input) ?? ""}\n${JSON.stringify(labels) ?? ""}`.toLowerCase();
  }
}

function sideOf(members: readonly Member[]): Side {
  return { name: "", members };
}

function rolloutName({ source, candidate }: Member, position: number): string {
  return `${source}:${candidate}:${position}`;
}
