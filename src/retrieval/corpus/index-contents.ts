import type { Passage } from "../../contract/index.ts";

/** What an index holds, wherever it is. */
export interface IndexContents {
  /** The corpus's checksum. */
  readonly checksum: string;
  /** Number of passages. */
  readonly size: number;
  /** Passages with a title. */
  readonly titled: number;
  /** Number of passages that have a field in their metadata, by its name. */
  readonly fields: Readonly<Record<string, number>>;
  /** On disk, with its vectors; absent for a place in an object store. */
  readonly bytes?: number;
  readonly embeddings: readonly {
    readonly provider: string;
    readonly model: string;
    readonly dimension: number;
    /** Passages that have a vector so far. */
    readonly embedded: number;
  }[];
  /** The first passages by id. */
  readonly examples: readonly Passage[];
}
