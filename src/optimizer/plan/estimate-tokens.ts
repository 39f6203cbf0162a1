/**
 * Bytes of UTF-8 counted as one token. With common byte-pair vocabularies, English has about four
 * bytes per token, and Chinese, code and numbers about three or slightly fewer. Three overestimates
 * prose by about a third and needs no tokenizer.
 */
export const bytesPerToken = 3;

/** The approximate number of tokens in a text: a cautious estimate from its length in UTF-8. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
