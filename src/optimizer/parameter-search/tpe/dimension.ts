/** One axis of a space: a range of numbers, or the places of a choice's options, from 0. */
export type Dimension = NumberDimension | ChoiceDimension;

export interface NumberDimension {
  readonly kind: "number";
  /** Inclusive; whole if `isWhole`. */
  readonly low: number;
  /** Inclusive, above `low`; whole if `isWhole`. */
  readonly high: number;
  readonly isLogScale: boolean;
  readonly isWhole: boolean;
}

export interface ChoiceDimension {
  readonly kind: "choice";
  /** At least 2. */
  readonly options: number;
}

/** A value for each dimension of a space, in their order. */
export type Point = readonly number[];
