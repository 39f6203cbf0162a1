import type { Embedder } from "../../contract/index.ts";
import { checkCount, sumKnown } from "../../internal/index.ts";

/**
 * Splits the texts of a call into batches of at most `batchSize` and sends them to the inner
 * embedder in sequence. Belongs outside `retryCalls`, so that a fault in one batch does not repeat
 * the others.
 *
 * @param batchSize at least 1; infinite for a single call
 * @throws EspalierError `option-invalid`
 */
export function batchedEmbedder(embedder: Embedder, batchSize: number): Embedder {
  if (batchSize !== Number.POSITIVE_INFINITY) checkCount("batchSize", batchSize);
  return {
    identity: embedder.identity,
    doEmbed: async (texts, options) => {
      const vectors: Float32Array[] = [];
      let promptTokens: number | null = 0;
      for (let start = 0; start < texts.length; start += batchSize) {
        const batch = texts.slice(start, start + batchSize);
        const reply = await embedder.doEmbed(batch, options);
        vectors.push(...reply.vectors);
        promptTokens = sumKnown(promptTokens, reply.usage.promptTokens);
      }
      return { vectors, usage: { promptTokens } };
    },
  };
}
