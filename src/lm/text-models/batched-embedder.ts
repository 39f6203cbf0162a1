import type { Embedder } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";

/**
 * Splits the texts of a call, at most `batchSize` to a call of the embedder inside, one call after
 * the other. Stands outside of `withRetry`, so that a fault in one batch does not
 * repeat the others.
 *
 * @param batchSize at least 1
 * @throws EspalierError `option-invalid`
 */
export function batchedEmbedder(embedder: Embedder, batchSize: number): Embedder {
  if (!(batchSize >= 1)) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The batches of an embedder cannot have this size",
      expected: "`batchSize`, at least 1",
      got: String(batchSize),
    });
  }
  return {
    identity: embedder.identity,
    doEmbed: async (texts, options) => {
      const vectors: Float32Array[] = [];
      let promptTokens = 0;
      for (let start = 0; start < texts.length; start += batchSize) {
        const batch = texts.slice(start, start + batchSize);
        const reply = await embedder.doEmbed(batch, options);
        vectors.push(...reply.vectors);
        promptTokens += reply.usage.promptTokens;
      }
      return { vectors, usage: { promptTokens } };
    },
  };
}
