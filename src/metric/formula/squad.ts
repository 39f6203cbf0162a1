import { pythonSplit } from "./python-text.ts";

/**
 * Answer scores of SQuAD 1.1 (Rajpurkar et al. 2016, `evaluate-v1.1.py`), which MuSiQue and
 * Adaptive-RAG use too, with the rule of SQuAD 2.0 that two empty answers are equal. The official
 * code is Python, whose `\w` is Unicode's; JavaScript's `\b` knows only ASCII.
 */

const asciiPunctuation = /[!-/:-@[-`{-~]/g;
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

/** Lower case, without ASCII punctuation or English articles, words separated by one space. */
export function normalizeAnswer(text: string): string {
  return answerTokens(text).join(" ");
}

/** The words of a text after SQuAD's normalisation. */
export function answerTokens(text: string): readonly string[] {
  return pythonSplit(text.toLowerCase().replaceAll(asciiPunctuation, "").replaceAll(articles, " "));
}

/** 1 when the normalised prediction equals a normalised gold answer, else 0. */
export function exactMatchOf(prediction: string, golds: readonly string[]): 0 | 1 {
  const normalized = normalizeAnswer(prediction);
  return golds.some((gold) => normalizeAnswer(gold) === normalized) ? 1 : 0;
}

/**
 * Harmonic mean of token precision and recall, as multisets, against the best gold answer; in [0,
 * 1]. If either side has no tokens left: 1 for two empty sides, otherwise 0.
 */
export function tokenF1Of(prediction: string, golds: readonly string[]): number {
  const predicted = answerTokens(prediction);
  return Math.max(0, ...golds.map((gold) => overlapF1(predicted, answerTokens(gold))));
}

/**
 * The overlap of two texts' words after SQuAD's normalisation. Recall is `Recall` and precision
 * `k_prec` of IBM's mt-rag-benchmark (`run_algorithmic.py`, commit cc5b1d4), where two empty sides
 * give 0.
 */
export function tokenOverlapOf(prediction: string, reference: string): TokenOverlap {
  return overlapOf(answerTokens(prediction), answerTokens(reference));
}

function overlapF1(predicted: readonly string[], gold: readonly string[]): number {
  if (predicted.length === 0 || gold.length === 0) return predicted.length === gold.length ? 1 : 0;
  return overlapOf(predicted, gold).f1;
}

/** Overlap of the tokens of two texts, as multisets; each figure in [0, 1]. */
export interface TokenOverlap {
  /** Share of the prediction's tokens that occur in the reference. */
  readonly precision: number;
  /** Share of the reference's tokens that occur in the prediction. */
  readonly recall: number;
  readonly f1: number;
}

const none: TokenOverlap = Object.freeze({ precision: 0, recall: 0, f1: 0 });

/** Multiset overlap; all 0 if no token is shared, also for two empty sides. */
function overlapOf(predicted: readonly string[], reference: readonly string[]): TokenOverlap {
  const left = new Map<string, number>();
  for (const token of reference) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of predicted) {
    const count = left.get(token) ?? 0;
    if (count > 0) common++;
    left.set(token, count - 1);
  }
  if (common === 0) return none;
  const precision = common / predicted.length;
  const recall = common / reference.length;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

/**
 * Accuracy of Adaptive-RAG and HANRAG: 1 when a normalised gold answer is a substring of the
 * normalised prediction, else 0. An answer that says more than necessary is still right.
 */
export function accuracyOf(prediction: string, golds: readonly string[]): 0 | 1 {
  const normalized = normalizeAnswer(prediction);
  return golds.some((gold) => normalized.includes(normalizeAnswer(gold))) ? 1 : 0;
}

/**
 * Accuracy on compound questions (HANRAG, section 4.1), whose gold answers are joined with ` && `:
 * the share of parts that the prediction contains, for the best gold answer; in [0, 1].
 */
export function compoundAccuracyOf(prediction: string, golds: readonly string[]): number {
  const shares = golds.map((gold) => {
    const parts = gold.split(" && ");
    return parts.filter((part) => accuracyOf(prediction, [part]) === 1).length / parts.length;
  });
  return Math.max(0, ...shares);
}
