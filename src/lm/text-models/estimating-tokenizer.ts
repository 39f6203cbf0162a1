import type { Tokenizer } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";

/**
 * A tokenizer without a model, for servers that have no `/tokenize`: the length in UTF-8, divided.
 * English has about four bytes to a token under common byte-pair vocabularies, and Chinese, code
 * and numbers about three or fewer, so that three overestimate prose by about a third and a budget
 * is rather kept than broken.
 *
 * @throws EspalierError `option-invalid`
 */
export function estimatingTokenizer({
  bytesPerToken = 3,
}: { readonly bytesPerToken?: number } = {}): Tokenizer {
  if (!(bytesPerToken > 0 && Number.isFinite(bytesPerToken))) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "Tokens cannot be of this length",
      expected: "`bytesPerToken`, above 0",
      got: String(bytesPerToken),
    });
  }
  return {
    identity: { provider: "estimate", model: `${bytesPerToken}-bytes` },
    countTokens: async (texts, { signal } = {}) => {
      signal?.throwIfAborted();
      return texts.map((text) => Math.ceil(Buffer.byteLength(text) / bytesPerToken));
    },
  };
}
