import { mean, sum } from "../../statistics/index.ts";

/** One query of a run over several collections. */
export interface QueryValue {
  /** One, or several: the query counts in each, and so repeatedly in `all`, but once in `plain`. */
  readonly collection: string | readonly string[];
  /**
   * `null` for a query without judgements: excluded from means, but counted in the weights of
   * `all`.
   */
  readonly value: number | null;
}

export interface CollectionMean {
  readonly collection: string;
  /** Over the judged queries, rounded to 5 decimals. */
  readonly mean: number;
  readonly judged: number;
  readonly predictions: number;
}

export interface CollectionMeans {
  /** In order of first appearance, without collections that have no judged query. */
  readonly collections: readonly CollectionMean[];
  /**
   * The official figure: rounded collection means, weighted by predictions. `null` if none is
   * judged.
   */
  readonly all: number | null;
  /** Mean over the judged queries, equally weighted. `null` if none is judged. */
  readonly plain: number | null;
}

/**
 * Aggregates as the retrieval script of IBM's mt-rag-benchmark (`run_retrieval_eval.py`, commit
 * cc5b1d4) does. Its `all` weights each collection by its number of predictions, including queries
 * without judgements, so it differs slightly from the plain mean; report both.
 */
export function collectionMeans(queries: readonly QueryValue[]): CollectionMeans {
  const each = queries.flatMap(({ collection, value }) =>
    [collection].flat().map((name) => ({ collection: name, value })),
  );
  const collections = [...Map.groupBy(each, ({ collection }) => collection)].flatMap(
    ([collection, rows]) => {
      const values = judgedValues(rows);
      if (values.length === 0) return [];
      const rounded = roundHalfEven5(mean(values));
      return [{ collection, mean: rounded, judged: values.length, predictions: rows.length }];
    },
  );
  const judged = judgedValues(queries);
  if (judged.length === 0) return { collections, all: null, plain: null };
  const weight = sum(collections.map(({ predictions }) => predictions));
  return {
    collections,
    all: sum(collections.map((one) => one.mean * one.predictions)) / weight,
    plain: mean(judged),
  };
}

function judgedValues(rows: readonly Pick<QueryValue, "value">[]): readonly number[] {
  return rows.flatMap(({ value }) => (value === null ? [] : [value]));
}

/**
 * Python's `round(value, 5)`. `toFixed` also works on the exact binary value, but rounds ties up;
 * only odd multiples of 1/64 are exact ties.
 */
function roundHalfEven5(value: number): number {
  const isTie = Math.abs((value * 64) % 2) === 1;
  if (!isTie) return Number(value.toFixed(5));
  const below = Math.floor(value * 1e5);
  return (below % 2 === 0 ? below : below + 1) / 1e5;
}
