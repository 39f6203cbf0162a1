import type {
  ComparedCandidate,
  ComparedSource,
  Flip,
  ReplayedRollout,
  RunComparison,
  ScoreColumn,
  Side,
} from "../../../report/index.ts";
import type { SplitName } from "../../../contract/index.ts";

/** A candidate of a source. */
export type Member = Side["members"][number];

/** Look-ups in a comparison, each worked out when it is first asked for. */
export interface ComparisonIndex {
  readonly comparison: RunComparison;
  source(key: string): ComparedSource | undefined;
  candidate(member: Member): ComparedCandidate | undefined;
  /** Place of an example, by its id. */
  placeOf(id: string): number | undefined;
  /** One value for each of the comparison's examples: the mean over the members that have one. */
  scores(members: readonly Member[], split: SplitName): Float64Array;
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
  const columns = new Map<ScoreColumn, Float64Array>();
  const index: ComparisonIndex = {
    comparison,
    source: (key) => sources.get(key),
    candidate: ({ source, candidate }) => sources.get(source)?.candidates[candidate],
    placeOf: (id) => places.get(id),
    scores: (members, split) => {
      const held = columnsOf(members, split).map(expanded);
      return held.length === 1 && held[0] !== undefined ? held[0] : meanOf(held);
    },
    sharedSplits: (one, other) =>
      splits.filter((split) =>
        [one, other].every((members) => columnsOf(members, split).length > 0),
      ),
    flips: (baseline, other, split) => {
      const [before, after] = [index.scores(baseline, split), index.scores(other, split)];
      const inherited = inheritedPlaces([...baseline, ...other], split);
      const found: Flip[] = [];
      for (const [example, value] of after.entries()) {
        const was = before[example] ?? Number.NaN;
        if (Number.isNaN(value) || Number.isNaN(was) || value === was) continue;
        found.push({ example, baseline: was, other: value, isInherited: inherited.has(example) });
      }
      const change = (flip: Flip): number => Math.abs(flip.other - flip.baseline);
      return found.toSorted((left, right) => change(right) - change(left));
    },
    rollout: (member, place) => rollouts.get(rolloutName(member, place)),
    searchText: (place) => {
      const known = texts.get(place) ?? searchTextOf(place);
      texts.set(place, known);
      return known;
    },
  };
  return index;

  function columnsOf(members: readonly Member[], split: SplitName): readonly ScoreColumn[] {
    return members.flatMap((member) => index.candidate(member)?.scores[split] ?? []);
  }

  function expanded(column: ScoreColumn): Float64Array {
    const known = columns.get(column) ?? new Float64Array(comparison.examples.length).fill(NaN);
    if (columns.has(column)) return known;
    for (const [position, value] of column.values.entries()) {
      if (value !== null) known[placeAt(column, position)] = value;
    }
    columns.set(column, known);
    return known;
  }

  function meanOf(held: readonly Float64Array[]): Float64Array {
    return new Float64Array(comparison.examples.length).map((_, place) => {
      const values = held.map((column) => column[place] ?? NaN).filter((value) => value === value);
      return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value) / values.length;
    });
  }

  function inheritedPlaces(members: readonly Member[], split: SplitName): ReadonlySet<number> {
    return new Set(
      columnsOf(members, split).flatMap((column) =>
        column.inherited === undefined || column.inherited === "unknown"
          ? []
          : column.inherited.map((position) => placeAt(column, position)),
      ),
    );
  }

  function searchTextOf(place: number): string {
    const example = comparison.examples[place];
    if (example === undefined) return "";
    const { id, input, labels } = example;
    return `${id}\n${JSON.stringify(input) ?? ""}\n${JSON.stringify(labels) ?? ""}`.toLowerCase();
  }
}

function placeAt({ places }: ScoreColumn, position: number): number {
  return "from" in places ? places.from + position : (places[position] ?? -1);
}

function rolloutName({ source, candidate }: Member, place: number): string {
  return `${source}:${candidate}:${place}`;
}
