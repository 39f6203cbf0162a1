import type { LanguageModel } from "./language-model.ts";
import type { Passage, RankedPassage } from "./passage.ts";

export interface RerankRequest {
  readonly query: string;
  /** Candidates, best first as far as is known; of a repeated id the first counts. */
  readonly passages: readonly Passage[];
  /** Largest number of passages to return, at least 1. */
  readonly k: number;
}

export interface RerankOptions {
  readonly signal?: AbortSignal;
  /**
   * The run's LM, or the one of `RunOptions.lms` under the reranker's name, addressed for this call: it
   * sets seed, repetition and role, and what is asked of it is in the trace and in the run's budget. Give
   * each of several requests a name of its own as `callPath`, such as the passage's id; those of one name
   * are numbered in the order they are begun, which must then not depend on timing.
   */
  readonly lm?: LanguageModel;
}

/**
 * Orders passages that were found by their relevance to a query. Implement `doRerank`; programs call
 * it through `call.rerank`. Unlike `Reranker`, which is a model that orders plain texts, it decides
 * what a model reads of a passage, and need not be a model.
 */
export interface PassageReranker {
  readonly name: string;
  readonly version: string;
  /** Module specifier from which a worker or server can load it again. */
  readonly module?: string;
  /**
   * Returns at most `k` of the passages given, best first, ties in the order given, without repeated
   * ids; `score` is the reranker's own.
   */
  doRerank(request: RerankRequest, options: RerankOptions): Promise<readonly RankedPassage[]>;
}
