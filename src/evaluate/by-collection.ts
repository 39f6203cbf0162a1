import type { Example } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { CollectionMeans, QueryValue } from "../metric/index.ts";
import { collectionMeans } from "../metric/index.ts";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";

/**
 * Each figure of an evaluation per collection and over all collections, aggregated as in MTRAG's
 * retrieval script; see `collectionMeans`. The figures are the metric's value, if the objective is
 * its mean, and its further objectives. A row to which a figure does not apply has no value but
 * counts in the weights of `all`; an unscored row is not a prediction. An example may be in several
 * collections.
 *
 * @example byCollection(evaluation, trainset.splits.test, ({ labels }) => labels.collection)
 * @throws EspalierError `dataset-invalid` when a row's example is not among `examples`
 */
export function byCollection<TExample extends Pick<Example, "id">>(
  { rows, metric, objective, objectives }: Evaluation,
  examples: readonly TExample[],
  collectionOf: (example: TExample) => QueryValue["collection"],
): Readonly<Record<string, CollectionMeans>> {
  const collections = new Map(examples.map((example) => [example.id, collectionOf(example)]));
  const predictions = rows
    .filter(({ score }) => score.kind !== "unscored")
    .map((row) => ({ row, collection: collections.get(row.exampleId) ?? unknownExample(row) }));
  const meansOf = (valueIn: (row: EvaluationRow) => number | null): CollectionMeans =>
    collectionMeans(
      predictions.map(({ row, collection }): QueryValue => ({ collection, value: valueIn(row) })),
    );
  const valueOf = ({ score }: EvaluationRow): number | null =>
    score.kind === "scored" ? score.value : null;
  const objectiveOf =
    (name: string) =>
    ({ score }: EvaluationRow): number | null =>
      score.kind === "scored" ? (score.objectives?.[name] ?? null) : null;
  return Object.freeze({
    ...Object.fromEntries(
      Object.keys(objectives).map((name) => [name, meansOf(objectiveOf(name))] as const),
    ),
    // An aggregate is not the mean of its rows.
    ...(objective === "mean" ? { [metric.name]: meansOf(valueOf) } : {}),
  });
}

function unknownExample({ exampleId }: EvaluationRow): never {
  throw new EspalierError({
    code: "dataset-invalid",
    problem: "A row of the evaluation belongs to an example that was not passed",
    expected: "all evaluated examples",
    got: `a row for \`${exampleId}\``,
  });
}
