/** One row of a trainset: what the program gets, and what the metric knows. */
export interface Example<TInput = unknown, TLabels = unknown> {
  /** Unique within the trainset, over all splits. */
  readonly id: string;
  readonly input: TInput;
  /** For the metric's eyes only; never reaches the program. */
  readonly labels: TLabels;
  /**
   * Examples that are not independent share a cluster, as turns of one conversation do; bootstraps
   * resample clusters. @default the example's own id
   */
  readonly cluster?: string;
}

export type SplitName = "train" | "val" | "test";

/** Examples in fixed splits, with where they come from. */
export interface Trainset<TInput = unknown, TLabels = unknown> {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly source: string;
  /** SHA-256 over ids, inputs, labels, clusters and splits, as hexadecimal. */
  readonly checksum: string;
  readonly splits: Readonly<Record<SplitName, readonly Example<TInput, TLabels>[]>>;
}
