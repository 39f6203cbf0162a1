import type { TextModelOptions } from "../contract/index.ts";
import type { GroundedResponse } from "../metric/index.ts";

/** How close a response is to its reference and to each passage, for RB_agg. */
export interface AgreementScores {
  /** Against the reference, in [-1, 1]; `null` if it could not be computed. */
  readonly bertRecall: number | null;
  /** Against each passage, in their order, in [-1, 1]. */
  readonly bertPrecisions: readonly (number | null)[];
}

/**
 * A service that compares texts as BERTScore does. `sentenceMatching` implements it over an
 * embeddings endpoint; a server that runs BERTScore itself can replace it (the official figures use
 * microsoft/deberta-xlarge-mnli, rescaled).
 */
export interface AgreementService {
  readonly name: string;
  /** Changes whenever scores would differ: includes the server's model and baseline. */
  readonly version: string;
  doCompare(given: GroundedResponse, options?: TextModelOptions): Promise<AgreementScores>;
}
