/**
 * The lower Cholesky factor of a symmetric positive definite matrix, by rows of the lower triangle.
 * Throws a `RangeError` if the matrix is not positive definite.
 */
export function cholesky(matrix: readonly Float64Array[]): readonly Float64Array[] {
  const factor: Float64Array[] = [];
  for (const [row, values] of matrix.entries()) {
    const own = new Float64Array(row + 1);
    for (let column = 0; column <= row; column++) {
      const other = column === row ? own : (factor[column] as Float64Array);
      let rest = values[column] as number;
      for (let index = 0; index < column; index++) {
        rest -= (own[index] as number) * (other[index] as number);
      }
      if (column < row) own[column] = rest / (other[column] as number);
      else if (rest > 0) own[row] = Math.sqrt(rest);
      else throw new RangeError(`The matrix is not positive definite in row ${row}.`);
    }
    factor.push(own);
  }
  return factor;
}

/** Solves L x = b for a lower factor L. */
export function solveLower(
  factor: readonly Float64Array[],
  right: ArrayLike<number>,
): Float64Array {
  const solution = new Float64Array(factor.length);
  for (const [row, values] of factor.entries()) {
    let rest = right[row] as number;
    for (let index = 0; index < row; index++) {
      rest -= (values[index] as number) * (solution[index] as number);
    }
    solution[row] = rest / (values[row] as number);
  }
  return solution;
}

/** Solves Lᵀ x = b for a lower factor L. */
export function solveUpper(
  factor: readonly Float64Array[],
  right: ArrayLike<number>,
): Float64Array {
  const solution = Float64Array.from(right);
  for (let row = factor.length - 1; row >= 0; row--) {
    const values = factor[row] as Float64Array;
    const value = (solution[row] as number) / (values[row] as number);
    solution[row] = value;
    for (let index = 0; index < row; index++) {
      solution[index] = (solution[index] as number) - (values[index] as number) * value;
    }
  }
  return solution;
}
