import { EspalierError } from "espalier";

export interface LogisticRegression {
  readonly weights: readonly number[];
  readonly intercept: number;
}

/**
 * Fits a logistic regression with an L2 penalty: minimises ½|w|² + C Σ log(1 + exp(-y(wx + b)))
 * over w and b, the objective of scikit-learn's `LogisticRegression`, which does not penalise the
 * intercept either. Uses Newton's method on all rows at once (iteratively reweighted least squares)
 * and halves a step that does not lower the objective. Deterministic, and the optimum is unique.
 *
 * @param rows of equal length
 * @param c the smaller, the stronger the penalty
 * @throws EspalierError `dataset-invalid` if one of the two labels is missing
 */
export function fitLogisticRegression({
  rows,
  labels,
  c,
}: {
  readonly rows: readonly ArrayLike<number>[];
  readonly labels: readonly boolean[];
  readonly c: number;
}): LogisticRegression {
  checkLabels(labels);
  const width = rows[0]?.length ?? 0;
  // The intercept is last.
  let solution = new Float64Array(width + 1);
  let objective = objectiveAt(solution, { rows, labels, c });
  const tolerance = 1e-10 * Math.max(1, c * rows.length);

  for (let iteration = 0; iteration < 100; iteration++) {
    const { gradient, hessian } = derivativesAt(solution, { rows, labels, c });
    if (gradient.every((slope) => Math.abs(slope) <= tolerance)) break;
    const direction = solved(hessian, gradient);
    let lowered = false;
    for (let size = 1; size > 1e-6 && !lowered; size /= 2) {
      const next = solution.map((value, index) => value - size * (direction[index] ?? 0));
      const reached = objectiveAt(next, { rows, labels, c });
      if (reached < objective) {
        solution = next;
        objective = reached;
        lowered = true;
      }
    }
    // At the optimum, rounding prevents a further decrease of the objective.
    if (!lowered) break;
  }
  return { weights: [...solution.subarray(0, width)], intercept: solution[width] ?? 0 };
}

/** P(true) of one row. */
export function logisticProbability(
  { weights, intercept }: LogisticRegression,
  row: ArrayLike<number>,
): number {
  const margin = weights.reduce(
    (sum, weight, index) => sum + weight * (row[index] ?? 0),
    intercept,
  );
  return sigmoid(margin);
}

interface Problem {
  readonly rows: readonly ArrayLike<number>[];
  readonly labels: readonly boolean[];
  readonly c: number;
}

function objectiveAt(solution: Float64Array, { rows, labels, c }: Problem): number {
  const width = solution.length - 1;
  let penalty = 0;
  for (let index = 0; index < width; index++) penalty += (solution[index] ?? 0) ** 2;
  let loss = 0;
  for (const [index, row] of rows.entries()) {
    const margin = marginOf(row, solution);
    loss += softplus(labels[index] === true ? -margin : margin);
  }
  return penalty / 2 + c * loss;
}

function derivativesAt(
  solution: Float64Array,
  { rows, labels, c }: Problem,
): { readonly gradient: Float64Array; readonly hessian: readonly Float64Array[] } {
  const size = solution.length;
  const gradient = new Float64Array(size);
  const hessian = Array.from({ length: size }, () => new Float64Array(size));
  for (let index = 0; index < size - 1; index++) {
    gradient[index] = solution[index] ?? 0;
    (hessian[index] as Float64Array)[index] = 1;
  }
  const extended = new Float64Array(size).fill(1);
  for (const [index, row] of rows.entries()) {
    extended.set(row);
    const probability = sigmoid(marginOf(row, solution));
    const error = c * (probability - (labels[index] === true ? 1 : 0));
    const curvature = c * probability * (1 - probability);
    for (let left = 0; left < size; left++) {
      const value = extended[left] ?? 0;
      gradient[left] = (gradient[left] ?? 0) + error * value;
      const line = hessian[left] as Float64Array;
      const scaled = curvature * value;
      // The lower triangle is enough: the matrix is symmetric.
      for (let right = 0; right <= left; right++) {
        line[right] = (line[right] ?? 0) + scaled * (extended[right] ?? 0);
      }
    }
  }
  return { gradient, hessian };
}

/**
 * Solves `matrix · x = right` by Cholesky factorisation; reads only the lower triangle of the
 * matrix.
 */
function solved(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const factor = matrix.map((line) => line.slice());
  const at = (line: number, column: number): number => factor[line]?.[column] ?? 0;
  for (let line = 0; line < size; line++) {
    for (let column = 0; column <= line; column++) {
      let sum = at(line, column);
      for (let inner = 0; inner < column; inner++) sum -= at(line, inner) * at(column, inner);
      const value =
        line === column ? Math.sqrt(Math.max(sum, Number.EPSILON)) : sum / at(column, column);
      (factor[line] as Float64Array)[column] = value;
    }
  }
  const solution = right.slice();
  for (let line = 0; line < size; line++) {
    let sum = solution[line] ?? 0;
    for (let inner = 0; inner < line; inner++) sum -= at(line, inner) * (solution[inner] ?? 0);
    solution[line] = sum / at(line, line);
  }
  for (let line = size - 1; line >= 0; line--) {
    let sum = solution[line] ?? 0;
    for (let inner = line + 1; inner < size; inner++)
      sum -= at(inner, line) * (solution[inner] ?? 0);
    solution[line] = sum / at(line, line);
  }
  return solution;
}

function marginOf(row: ArrayLike<number>, solution: Float64Array): number {
  let sum = solution[solution.length - 1] ?? 0;
  for (let index = 0; index < row.length; index++)
    sum += (row[index] ?? 0) * (solution[index] ?? 0);
  return sum;
}

function sigmoid(margin: number): number {
  if (margin >= 0) return 1 / (1 + Math.exp(-margin));
  const grown = Math.exp(margin);
  return grown / (1 + grown);
}

/** log(1 + exp(x)), without overflow. */
function softplus(value: number): number {
  return Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value)));
}

function checkLabels(labels: readonly boolean[]): void {
  const positive = labels.filter(Boolean).length;
  if (positive > 0 && positive < labels.length) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: "A classifier cannot be trained with only one label",
    expected: "examples of both labels",
    got: `${positive} true of ${labels.length}`,
  });
}
