/** The kernels of an estimator along one dimension: one for each observation, then the prior. */
export interface Kernels {
  /** Log-density of a value, or log-probability where values are discrete. */
  logDensity(kernel: number, value: number): number;
  /** @param share a uniform draw in [0, 1) */
  draw(kernel: number, share: number): number;
}
