import type {
  ComparedCandidate,
  ComparedSource,
  Flip,
  ReplayedRollout,
  RunComparison,
  Side,
} from "../../../report/index.ts";
import { flipsOf, sideScores } from "../../../report/index.ts";
import type { SplitName } from "../../../contract/index.ts";

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
  score(members: readonly Member[], split: SplitName, place: number): number | null;
  /** Splits on which both have scores, the one that selects first. */
  sharedSplits(one: readonly Member[], other: readonly Member[]): readonly SplitName[];
  /** Examples with different scores, the greatest change first. */
  flips(baseline: readonly Member[], other: readonly Member[], split: SplitName): readonly Flip[];
  rollout(member: Member, place: number): ReplayedRollout | undefined;
  /** Input, labels and id of an example, in lower case, for a search. */
  searchText(place: number): string;
}

export const splits: readonly SplitName[] = ["val", "test", "train"];

export function comparisonIndex(comparison: RunComparison): ComparisonIndex {
  const sources = new Map(comparison.sources.map((source) => [source.key, source]));
  const places = new Map(comparison.examples.map(({ id }, place) => [id, place]));
  const rollouts = new Map(comparison.rollouts.map((one) => [rolloutName(one, one.example), one]));
  const texts = new Map<number, string>();
  const index: ComparisonIndex = {
    comparison,
    source: (key) => sources.get(key),
    candidate: ({ source, candidate }) => sources.get(source)?.candidates[candidate],
    placeOf: (id) => places.get(id),
    score: (members, split, place) =>
      sideScores(comparison, sideOf(members), split).get(place)?.value ?? null,
    sharedSplits: (one, other) =>
      splits.filter((split) => [one, other].every((members) => hasScores(members, split))),
    flips: (baseline, other, split) =>
      flipsOf(comparison, { baseline: sideOf(baseline), other: sideOf(other), split }),
    rollout: (member, place) => rollouts.get(rolloutName(member, place)),
    searchText: (place) => {
      const known = texts.get(place) ?? searchTextOf(place);
      texts.set(place, known);
      return known;
    },
  };
  return index;

  function hasScores(members: readonly Member[], split: SplitName): boolean {
    return members.some((member) => index.candidate(member)?.scores[split] !== undefined);
  }

  function searchTextOf(place: number): string {
    const example = comparison.examples[place];
    if (example === undefined) return "";
    const { id, input, labels } = example;
    return `${id}\n${JSON.stringify(input) ?? ""}\n${JSON.stringify(labels) ?? ""}`.toLowerCase();
  }
}

function sideOf(members: readonly Member[]): Side {
  return { name: "", members };
}

function rolloutName({ source, candidate }: Member, place: number): string {
  return `${source}:${candidate}:${place}`;
}
