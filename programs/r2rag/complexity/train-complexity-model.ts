import type { Embedder } from "espalier";
import { EspalierError } from "espalier";
import type { ComplexityModel } from "./complexity-model.ts";
import { fitLogisticRegression } from "./logistic-regression.ts";
import { questionFeatureNames, questionFeatures } from "./question-features.ts";

export interface ComplexityExample {
  readonly question: string;
  /** True for questions that need more than one search: the authors' "requires decomposition". */
  readonly isComplex: boolean;
}

/**
 * Trains the classifier that the authors compare with their LM (section 3.1): logistic regression
 * on a vector of the question and 19 linguistic features. They used 128 dimensions of
 * `google/bert_uncased_L-2_H-128_A-2` and 175,850 questions; any embedder and any questions will
 * do.
 *
 * Vector and counts differ in scale, and the penalty depends on scale, so all inputs are first
 * normalised to mean 0 and deviation 1.
 *
 * @param c inverse strength of the L2 penalty. @default 1
 * @throws EspalierError `dataset-invalid` without examples of both kinds, `embedding-invalid`
 */
export async function trainComplexityModel({
  examples,
  embedder,
  c = 1,
  signal,
}: {
  readonly examples: readonly ComplexityExample[];
  readonly embedder: Embedder;
  readonly c?: number;
  readonly signal?: AbortSignal;
}): Promise<ComplexityModel> {
  const questions = examples.map(({ question }) => question);
  const { vectors } = await embedder.doEmbed(questions, signal === undefined ? {} : { signal });
  const rows = questions.map((question, index) => questionInputs(question, vectors[index]));
  const dimensions = vectors[0]?.length ?? 0;
  if (vectors.length !== rows.length || vectors.some(({ length }) => length !== dimensions)) {
    throw new EspalierError({
      code: "embedding-invalid",
      problem: "The embedder's vectors are unusable for training",
      expected: `${rows.length} vectors of equal length`,
      got: `${vectors.length}, of lengths ${[...new Set(vectors.map(({ length }) => length))].join(", ")}`,
    });
  }
  const { means, deviations } = scaleOf(rows);
  const labels = examples.map(({ isComplex }) => isComplex);
  const scaled = rows.map((row) => standardized(row, { means, deviations }));
  const { provider, model } = embedder.identity;
  return {
    kind: "question-complexity",
    version: 1,
    embedder: { provider, model },
    dimensions,
    features: questionFeatureNames,
    means,
    deviations,
    ...fitLogisticRegression({ rows: scaled, labels, c }),
    training: { examples: rows.length, complex: labels.filter(Boolean).length, c },
  };
}

/** The vector followed by the linguistic features. */
export function questionInputs(question: string, vector: Float32Array | undefined): Float64Array {
  return Float64Array.from([...(vector ?? []), ...questionFeatures(question)]);
}

export function standardized(
  row: Float64Array,
  { means, deviations }: Pick<ComplexityModel, "means" | "deviations">,
): Float64Array {
  return row.map((value, index) => (value - (means[index] ?? 0)) / (deviations[index] ?? 1));
}

/** Mean and standard deviation of each column over all rows; 1 for a constant column. */
function scaleOf(rows: readonly Float64Array[]): {
  readonly means: readonly number[];
  readonly deviations: readonly number[];
} {
  const width = rows[0]?.length ?? 0;
  const meanOf = (valueOf: (row: Float64Array, column: number) => number): number[] =>
    Array.from({ length: width }, (_, column) => {
      let sum = 0;
      for (const row of rows) sum += valueOf(row, column);
      return sum / rows.length;
    });
  const means = meanOf((row, column) => row[column] ?? 0);
  const variances = meanOf((row, column) => ((row[column] ?? 0) - (means[column] ?? 0)) ** 2);
  return { means, deviations: variances.map((variance) => Math.sqrt(variance) || 1) };
}
