import type { JsonObject } from "./json.ts";

export interface RetrieveRequest {
  readonly query: string;
  /** Largest number of passages to return, at least 1. */
  readonly k: number;
}

/** Finds passages for a query. Implement `doRetrieve`; programs call it through `call.retrieve`. */
export interface Retriever {
  readonly name: string;
  readonly version: string;
  /** Module specifier from which a worker or server can load it. */
  readonly module?: string;
  /** Returns at most `k` passages, best first, without repeated ids. */
  doRetrieve(
    request: RetrieveRequest,
    options: { readonly signal?: AbortSignal },
  ): Promise<readonly RankedPassage[]>;
}

/** A unit of retrievable text. `id` is unique within its collection. */
export interface Passage {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
  readonly metadata?: JsonObject;
}

/** A passage as a retriever or reranker returned it; a higher score is better. */
export interface RankedPassage extends Passage {
  readonly score: number;
}
