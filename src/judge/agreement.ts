import type { TextModelOptions } from "../contract/index.ts";
import type { GroundedResponse } from "../metric/index.ts";

/** How close a response is to its reference and to each passage, as RB_agg wants it. */
export interface AgreementScores {
  /** Against the reference, in [-1, 1]; `null`: could not be computed. */
  readonly bertRecall: number | null;
  /** Against each passage, in their order, in [-1, 1]. */
  readonly bertPrecisions: readonly (number | null)[];
}

/**
 * A service that compares texts as BERTScore does. `sentenceMatching` is one over an embeddings endpoint;
 * a server that runs BERTScore itself (microsoft/deberta-xlarge-mnli, rescaled, is what the official
 * figures are made with) can stand in its place.
 */
export interface AgreementService {
  readonly name: string;
  /** Changes whenever it would give other scores: the server's model and baseline are part of it. */
  readonly version: string;
  doCompare(given: GroundedResponse, options?: TextModelOptions): Promise<AgreementScores>;
}
