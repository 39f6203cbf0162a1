/**
 * Answer scores of SQuAD 1.1 (Rajpurkar et al. 2016, `evaluate-v1.1.py`), which MuSiQue and
 * Adaptive-RAG use too, with the rule of SQuAD 2.0 that two empty answers are equal. HotpotQA's own
 * F1 is another: 0 when either side is "yes", "no" or "noanswer" and the two differ. The official
 * code is Python, whose `\w` and white space are Unicode's; JavaScript's `\b` knows ASCII only, and
 * its `\s` is another set.
 */

const asciiPunctuation = /[!-/:-@[-`{-~]/g;
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;
// What Python's `str.split` splits at; unlike `\s` it holds U+001C to U+001F and U+0085, not U+FEFF.
// oxlint-disable-next-line no-control-regex -- these control characters are white space to Python
const whiteSpace = /[\t-\r\u001C- \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/;

/** Lower case, without ASCII punctuation and English articles, words parted by one space. */
export function normalizeAnswer(text: string): string {
  return tokens(text).join(" ");
}

/** 1 when the normalised prediction equals a normalised gold answer, else 0. */
export function exactMatchOf(prediction: string, golds: readonly string[]): 0 | 1 {
  const normalized = normalizeAnswer(prediction);
  return golds.some((gold) => normalizeAnswer(gold) === normalized) ? 1 : 0;
}

/**
 * Harmonic mean of token precision and recall, as multisets, against the best gold answer; in
 * [0, 1]. When either side has no token left, 1 for two empty sides and else 0.
 */
export function tokenF1Of(prediction: string, golds: readonly string[]): number {
  const predicted = tokens(prediction);
  return Math.max(0, ...golds.map((gold) => overlapF1(predicted, tokens(gold))));
}

function tokens(text: string): readonly string[] {
  return text
    .toLowerCase()
    .replaceAll(asciiPunctuation, "")
    .replaceAll(articles, " ")
    .split(whiteSpace)
    .filter((token) => token !== "");
}

function overlapF1(predicted: readonly string[], gold: readonly string[]): number {
  if (predicted.length === 0 || gold.length === 0) return predicted.length === gold.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const token of gold) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of predicted) {
    const count = left.get(token) ?? 0;
    if (count > 0) common++;
    left.set(token, count - 1);
  }
  if (common === 0) return 0;
  const precision = common / predicted.length;
  const recall = common / gold.length;
  return (2 * precision * recall) / (precision + recall);
}
