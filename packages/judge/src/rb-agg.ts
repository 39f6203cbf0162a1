import { harmonicMeanOf, rougeLOf, tokenOverlapOf } from "../../../src/metric/index.ts";

/** The agreement of a response with its reference and with the passages. */
export interface AgreementParts {
  /**
   * BERTScore recall against the reference, rescaled, in [-1, 1]; `null` if it could not be
   * computed.
   */
  readonly bertRecall: number | null;
  /** Token recall against the reference, in [0, 1]; replaces `bertRecall` if that is null. */
  readonly tokenRecall: number;
  /** ROUGE-L against the reference, in [0, 1]. */
  readonly rougeL: number;
  /** BERTScore precision against each passage, in [-1, 1]; nulls are ignored. */
  readonly bertPrecisions: readonly (number | null)[];
}

/**
 * RB_agg of MTRAG (Katsis et al. 2025; `run_algorithmic.py` of IBM's mt-rag-benchmark, commit
 * cc5b1d4), also called RB_alg, from given BERTScore values: harmonic mean of recall of the
 * reference, ROUGE-L, and precision against the best passage, with BERTScores mapped to [0, 1]. 0
 * if any of the three is 0, or without passages. In [0, 1].
 *
 * The value is not conditioned on abstention: see `conditioned`.
 */
export function rbAggOf({
  bertRecall,
  tokenRecall,
  rougeL,
  bertPrecisions,
}: AgreementParts): number {
  const known = bertPrecisions.filter((precision) => precision !== null);
  if (known.length === 0) return 0;
  return harmonicMeanOf([
    bertRecall === null ? tokenRecall : toUnit(bertRecall),
    rougeL,
    toUnit(Math.max(...known)),
  ]);
}

function toUnit(score: number): number {
  return (score + 1) / 2;
}

/** A response with its reference and its passages. */
export interface GroundedResponse {
  readonly response: string;
  readonly reference: string;
  /** Texts of the passages on which the response is based. */
  readonly passages: readonly string[];
}

/**
 * A proxy for RB_agg without a model: harmonic mean of ROUGE-L, token recall of the reference,
 * and token precision against the best passage. In [0, 1]; 0 without passages.
 *
 * Accuracy of the proxy: r = .964 with the official RB_agg over 5,805 published responses of
 * IBM's synthetic set, without references and conditioned rows; r = .963 over the 4,076 of them
 * that `npm run conformance` recomputes, where the official value is about .169 + .775 x with a
 * mean error of .030. It ranks systems; it measures neither faithfulness nor a rating judge's
 * verdict.
 */
export function lexicalAgreementOf({ response, reference, passages }: GroundedResponse): number {
  if (passages.length === 0) return 0;
  return harmonicMeanOf([
    rougeLOf(response, reference),
    tokenOverlapOf(response, reference).recall,
    Math.max(...passages.map((passage) => tokenOverlapOf(response, passage).precision)),
  ]);
}
