import type { Embedder, TextModelOptions } from "../../../src/index.ts";
import { EspalierError, LmError } from "../../../src/index.ts";
import type { GroundedResponse } from "./rb-agg.ts";

/** How close a response is to its reference and to each passage, for RB_agg. */
interface AgreementScores {
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

interface SentenceMatchingOptions {
  readonly embedder: Embedder;
  /**
   * The model's cosine for unrelated sentences, below 1: (cosine - baseline) / (1 - baseline) is
   * then about 0 for them, as in BERTScore's rescaling. @default 0, no rescaling
   */
  readonly baseline?: number;
}

/**
 * An approximation of BERTScore over an embeddings endpoint. BERTScore itself matches the
 * contextual vectors of tokens, which `/embeddings` does not return. Here each sentence has one
 * vector, and greedy matching is over sentences. Recall is the mean, over the reference's
 * sentences, of the cosine with the closest sentence of the response; precision is the same over
 * the response's sentences against a passage. All sentences weigh the same, whatever their length.
 * `null` if a side has no sentence.
 *
 * Its values are on a different scale from published ones: compare systems with it, never with a
 * published table.
 */
export function sentenceMatching({
  embedder,
  baseline = 0,
}: SentenceMatchingOptions): AgreementService {
  if (!(baseline > -1 && baseline < 1)) throw baselineInvalid(baseline);
  const { provider, model } = embedder.identity;
  return Object.freeze<AgreementService>({
    name: "sentence_matching",
    version: `1-${provider}/${model}-${baseline}`,
    doCompare: async ({ response, reference, passages }, options) => {
      const responded = sentencesOf(response);
      const wanted = sentencesOf(reference);
      const shown = passages.map(sentencesOf);
      const distinct = [...new Set([responded, wanted, ...shown].flat())];
      if (responded.length === 0) {
        return { bertRecall: null, bertPrecisions: passages.map(() => null) };
      }
      const { vectors } = await embedder.doEmbed(distinct, options);
      refuseUnusable(vectors, distinct.length, embedder.identity);
      const units = new Map(distinct.map((sentence, index) => [sentence, unitOf(vectors[index])]));
      const closest = (sentence: string, among: readonly string[]): number =>
        Math.max(...among.map((other) => dot(units.get(sentence), units.get(other))));
      const matched = (from: readonly string[], among: readonly string[]): number | null => {
        if (from.length === 0 || among.length === 0) return null;
        const mean =
          from.reduce((sum, sentence) => sum + closest(sentence, among), 0) / from.length;
        return Math.max(-1, Math.min(1, (mean - baseline) / (1 - baseline)));
      };
      return {
        bertRecall: matched(wanted, responded),
        bertPrecisions: shown.map((sentences) => matched(responded, sentences)),
      };
    },
  });
}

function sentencesOf(text: string): readonly string[] {
  return [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((segment) => segment !== "");
}

function unitOf(vector: Float32Array = new Float32Array()): Float64Array {
  const length = Math.hypot(...vector);
  return Float64Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

function dot(left: Float64Array = new Float64Array(), right = left): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

/** Otherwise a missing or broken vector would look like an unrelated sentence. */
function refuseUnusable(
  vectors: readonly Float32Array[],
  count: number,
  { provider, model }: Embedder["identity"],
): void {
  const length = vectors[0]?.length ?? 0;
  const isUsable = (vector: Float32Array): boolean =>
    length > 0 && vector.length === length && vector.every(Number.isFinite);
  const usable = vectors.filter(isUsable).length;
  if (vectors.length === count && usable === count) return;
  throw new LmError({
    code: "lm-bad-envelope",
    problem: "The embedder's vectors cannot be compared",
    expected: `${count} vectors of equal length with finite numbers`,
    got: `${vectors.length} vectors, ${usable} of them usable`,
    where: `${provider}/${model}`,
  });
}

function baselineInvalid(baseline: number): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: "The similarity baseline is invalid",
    expected: "`baseline` above -1 and below 1",
    got: String(baseline),
  });
}
