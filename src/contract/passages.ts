import type { LanguageModel } from "./language-model.ts";
import type { JsonObject } from "./json.ts";

export interface RerankRequest {
  readonly query: string;
  /** Candidates, best first as far as known; of repeated ids the first counts. */
  readonly passages: readonly Passage[];
  /** Largest number of passages to return, at least 1. */
  readonly k: number;
}

export interface RerankOptions {
  readonly signal?: AbortSignal;
  /**
   * The run's LM, or the one in `RunOptions.lms` under the reranker's name, bound to this call: it
   * sets seed, repetition and role, and its requests appear in the trace and count against the
   * run's budget. Give each of several requests its own name as `callPath`, such as the passage's
   * id; requests with the same name are numbered in the order they start, which must then not
   * depend on timing.
   */
  readonly lm?: LanguageModel;
}

/**
 * Orders retrieved passages by their relevance to a query. Implement `doRerank`; programs call it
 * through `call.rerank`. A `Reranker` is a model that orders plain texts; a `PassageReranker`
 * decides which part of a passage a model reads, and need not use a model.
 */
export interface PassageReranker {
  readonly name: string;
  readonly version: string;
  /** Module specifier from which a worker or server can load it. */
  readonly module?: string;
  /**
   * Returns at most `k` of the given passages, best first, ties in the given order, without
   * repeated ids; `score` is the reranker's own.
   */
  doRerank(request: RerankRequest, options: RerankOptions): Promise<readonly RankedPassage[]>;
}

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
