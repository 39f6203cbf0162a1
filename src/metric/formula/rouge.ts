/**
 * ROUGE-L as Google's `rouge_score` computes it without a stemmer: F1 of the longest common
 * subsequence of tokens, in [0, 1]; 0 if either side has none. Tokens are runs of `a-z0-9` after
 * lower-casing, so an accented letter splits a word.
 */
export function rougeLOf(prediction: string, reference: string): number {
  const predicted = rougeTokens(prediction);
  const wanted = rougeTokens(reference);
  const common = longestCommonSubsequence(predicted, wanted);
  if (common === 0) return 0;
  const precision = common / predicted.length;
  const recall = common / wanted.length;
  return (2 * precision * recall) / (precision + recall);
}

function rougeTokens(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

/** Its length, computed with a single row of the table. */
function longestCommonSubsequence(left: readonly string[], right: readonly string[]): number {
  const row = new Uint32Array(right.length + 1);
  for (const token of left) {
    let diagonal = 0;
    for (let index = 0; index < right.length; index++) {
      const above = row[index + 1] ?? 0;
      row[index + 1] = token === right[index] ? diagonal + 1 : Math.max(above, row[index] ?? 0);
      diagonal = above;
    }
  }
  return row[right.length] ?? 0;
}
