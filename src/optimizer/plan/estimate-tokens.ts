/**
 * Bytes of UTF-8 that are counted as one token. Under common byte-pair vocabularies English has
 * about four bytes to a token, and Chinese, code and numbers about three or somewhat fewer: counted
 * so, prose is overestimated by about a third, and no tokenizer is needed.
 */
export const bytesPerToken = 3;

/** About how many tokens a text takes: a cautious estimate from its length in UTF-8. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
