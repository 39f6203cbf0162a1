import type { Example } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import { byCollection } from "../../evaluate/index.ts";
import type { CollectionMeans } from "../../metric/index.ts";
import { textOfLines } from "../terminal/text-of-lines.ts";

/** Each figure by collection, for a person and for the JSON line. */
export interface CollectionReport {
  readonly text: string;
  readonly figures: Readonly<Record<string, CollectionMeans>>;
}

/**
 * Reports an evaluation by the collection that a label of its examples names.
 *
 * @throws EspalierError `usage-invalid` at once, when an example's label names none
 */
export function collectionsBy(
  label: string,
  examples: readonly Example[],
): (evaluation: Evaluation) => CollectionReport {
  const collections = new Map(examples.map((one) => [one.id, collectionIn(one, label)]));
  return (evaluation) => {
    const figures = byCollection(evaluation, examples, ({ id }) => collections.get(id) ?? "");
    return { figures, text: textOfLines(Object.entries(figures).flatMap(linesOf)) };
  };
}

function collectionIn({ id, labels }: Example, label: string): string {
  const held: Readonly<Record<string, unknown>> =
    typeof labels === "object" && labels !== null ? { ...labels } : {};
  const collection = held[label];
  if (typeof collection === "string") return collection;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `An example has no label "${label}" that names its collection`,
    expected: "a label that holds text",
    got: `labels ${Object.keys(held).join(", ") || "of another kind"}`,
    where: `example ${id}`,
    fix: "Name another label with --collections, or leave the option out",
  });
}

function linesOf([name, { collections, all, plain }]: readonly [
  string,
  CollectionMeans,
]): string[] {
  if (all === null || plain === null) return [`${name}: no collection was judged`];
  return [
    `${name} by collection:`,
    ...collections.map(
      ({ collection, mean, judged, predictions }) =>
        `  ${collection}  ${mean.toFixed(5)}  (${judged} judged of ${predictions})`,
    ),
    `  all  ${all.toFixed(5)}  (means weighted by predictions, as MTRAG's script does; plain mean ${plain.toFixed(5)})`,
  ];
}
