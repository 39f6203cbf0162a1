import type { Example } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import { byCollection } from "../../evaluate/index.ts";
import type { CollectionMeans } from "../../metric/index.ts";
import { labelOf } from "../../trainset/index.ts";
import { joinLines } from "../terminal/join-lines.ts";

/** Each figure by collection, as text and for the JSON line. */
export interface CollectionReport {
  readonly text: string;
  readonly figures: Readonly<Record<string, CollectionMeans>>;
}

/**
 * Reports an evaluation by collection; a label of each example names its collection, or lists
 * several.
 *
 * @throws EspalierError `usage-invalid` immediately, if an example lacks the label
 */
export function collectionMeans(
  label: string,
  examples: readonly Example[],
): (evaluation: Evaluation) => CollectionReport {
  const collections = new Map(examples.map((one) => [one.id, collectionIn(one, label)]));
  return (evaluation) => {
    const figures = byCollection(evaluation, examples, ({ id }) => collections.get(id) ?? []);
    return { figures, text: joinLines(Object.entries(figures).flatMap(linesOf)) };
  };
}

function collectionIn(example: Example, label: string): readonly string[] {
  const collection = labelOf(example, label);
  const named: readonly unknown[] = Array.isArray(collection) ? collection : [collection];
  if (named.every((each) => typeof each === "string")) return [...new Set(named)];
  const { id, labels } = example;
  const names = typeof labels === "object" && labels !== null ? Object.keys(labels) : [];
  throw new EspalierError({
    code: "usage-invalid",
    problem: `An example has no text label "${label}" to name its collection`,
    expected: "a label that holds text, or a list of texts",
    got: `labels ${names.join(", ") || "of another kind"}`,
    where: `example ${id}`,
    fix: "Name another label with --collections, or omit the option",
  });
}

function linesOf([name, { collections, all, plain }]: readonly [
  string,
  CollectionMeans,
]): string[] {
  if (all === null || plain === null) return [`${name}: no collection was scored`];
  return [
    `${name} by collection:`,
    ...collections.map(
      ({ collection, mean, judged, predictions }) =>
        `  ${collection}  ${mean.toFixed(5)}  (${judged} of ${predictions} scored)`,
    ),
    `  all  ${all.toFixed(5)}  (mean weighted by predictions, as in MTRAG's script; plain mean ${plain.toFixed(5)})`,
  ];
}
