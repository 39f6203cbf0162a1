/** One row of a trainset: the program's input, and the labels that only the metric sees. */
export interface Example<TInput = unknown, TLabels = unknown> {
  /** Unique within the trainset, over all splits. */
  readonly id: string;
  readonly input: TInput;
  /** For the metric's eyes only; never reaches the program. */
  readonly labels: TLabels;
  /**
   * Dependent examples, such as the turns of one conversation, share a cluster; bootstraps resample
   * clusters. @default the example's own id
   */
  readonly cluster?: string;
}

export type SplitName = "train" | "val" | "test";

/** All splits, in the order in which they are shown and hashed. */
export const splitNames: readonly SplitName[] = ["train", "val", "test"];

/** Examples in fixed splits. Version, licence and source are absent if not stated. */
export interface Trainset<TInput = unknown, TLabels = unknown> {
  readonly name: string;
  readonly version?: string | undefined;
  readonly licence?: string | undefined;
  readonly source?: string | undefined;
  /** Labels of every example that hold text, by which samples are stratified. @default none */
  readonly strata?: readonly string[];
  /** SHA-256 over ids, inputs, labels, clusters and splits, as hexadecimal. */
  readonly checksum: string;
  readonly splits: Readonly<Record<SplitName, readonly Example<TInput, TLabels>[]>>;
}
