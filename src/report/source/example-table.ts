import type { Example, JsonObject, Json, SplitName, Trainset } from "../../contract/index.ts";
import type { ComparedExample } from "../data/run-comparison.ts";
import type { ScoreColumn } from "../data/score-column.ts";

/** Every example that a source mentions, and where it stands. */
export interface ExampleTable {
  readonly examples: readonly ComparedExample[];
  /** @throws RangeError for an id that no source mentioned */
  readonly placeOf: (id: string) => number;
  /** Those of the ids that the table has, in its order. */
  placesOf(ids: Iterable<string>): readonly number[];
  column(scores: ReadonlyMap<string, number | null>): ScoreColumn;
}

/** Ids by split, in the order in which sources name them. */
export type Mentions = Readonly<Record<SplitName, ReadonlySet<string>>>;

/**
 * Val first, then test and train, each in the trainset's order where it is given.
 *
 * @param clusters of examples that no trainset tells of
 */
export function exampleTable(
  mentions: Mentions,
  {
    trainset,
    clusters,
  }: {
    readonly trainset: Trainset | undefined;
    readonly clusters: ReadonlyMap<string, string>;
  },
): ExampleTable {
  const places = new Map<string, number>();
  const examples: ComparedExample[] = [];
  for (const split of ["val", "test", "train"] as const) {
    const known = trainset?.splits[split].filter(({ id }) => mentions[split].has(id)) ?? [];
    for (const example of known) add(described(example, split));
    for (const id of mentions[split]) {
      const cluster = clusters.get(id);
      add({ id, split, ...(cluster !== undefined && cluster !== id && { cluster }) });
    }
  }
  function add(example: ComparedExample): void {
    if (places.has(example.id)) return;
    places.set(example.id, examples.push(example) - 1);
  }
  const placeOf = (id: string): number => {
    const index = places.get(id);
    if (index === undefined) throw new RangeError(`No source mentions example ${id}.`);
    return index;
  };
  return {
    examples,
    placeOf,
    placesOf: (ids) =>
      [...ids].flatMap((id) => places.get(id) ?? []).toSorted((one, other) => one - other),
    column: (scores) => {
      const cells = [...scores]
        .map(([id, value]) => ({ index: placeOf(id), value }))
        .toSorted((one, other) => one.index - other.index);
      const held = cells.map(({ index }) => index);
      const [from = 0] = held;
      const isRange = held.every((position, index) => position === from + index);
      return {
        places: isRange ? { from, count: held.length } : held,
        values: cells.map(({ value }) => value),
      };
    },
  };
}

function described({ id, cluster, input, labels }: Example, split: SplitName): ComparedExample {
  return {
    id,
    split,
    ...(cluster !== undefined && cluster !== id && { cluster }),
    // Trainsets come from files of JSON.
    input: input as JsonObject,
    ...(labels !== undefined && { labels: labels as Json }),
  };
}
