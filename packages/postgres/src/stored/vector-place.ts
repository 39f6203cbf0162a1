/** Where an embedder's vectors are, and how they are compared. */
export interface VectorPlace {
  /** Its table, quoted. */
  readonly table: string;
  readonly dimension: number;
  readonly similarity: "cosine" | "inner-product";
  /** Schema of the extension pgvector, quoted. */
  readonly extension: string;
  /** Numbers in the index have 16 bits: vectors are too long for one of 32. */
  readonly isHalved: boolean;
  readonly isExact: boolean;
}
