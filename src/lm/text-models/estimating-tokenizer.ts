import type { Tokenizer } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";

/**
 * A tokenizer without a model, for servers without `/tokenize`: divides the length in UTF-8.
 * English has about four bytes per token under common byte-pair vocabularies; Chinese, code and
 * numbers have about three or fewer. A divisor of three therefore overestimates prose by about a
 * third, which keeps budgets on the safe side.
 *
 * @throws EspalierError `option-invalid`
 */
export function estimatingTokenizer({
  bytesPerToken = 3,
}: { readonly bytesPerToken?: number } = {}): Tokenizer {
  if (!(bytesPerToken > 0 && Number.isFinite(bytesPerToken))) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The token length is invalid",
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
