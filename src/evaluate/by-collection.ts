import type { Example } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { CollectionMeans, QueryValue } from "../metric/index.ts";
import { collectionMeans } from "../metric/index.ts";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";

/**
 * Each figure of an evaluation by collection and over all of them, aggregated as the retrieval script of
 * MTRAG does; see `collectionMeans`. The figures are the metric's value, where the objective is its mean,
 * and its further objectives. A row to which a figure does not apply has no value and weighs in `all`; an
 * unscored row is no prediction.
 *
 * @example byCollection(evaluation, trainset.splits.test, ({ labels }) => labels.collection)
 * @throws EspalierError `dataset-invalid` when a row's example is not among those given
 */
export function byCollection<TExample extends Pick<Example, "id">>(
  { rows, metric, objective, objectives }: Evaluation,
  examples: readonly TExample[],
  collectionOf: (example: TExample) => string,
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
    // The rows of an aggregate are not what it is the mean of.
    ...(objective === "mean" ? { [metric.name]: meansOf(valueOf) } : {}),
  });
}

function unknownExample({ exampleId }: EvaluationRow): never {
  throw new EspalierError({
    code: "dataset-invalid",
    problem: "A row of the evaluation is of an example that was not given",
    expected: "the examples that were evaluated",
    got: `a row of \`${exampleId}\``,
  });
}
