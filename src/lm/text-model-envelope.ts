import { z } from "zod";

// Rerank routes report the total only; there is nothing but prompt tokens in it.
const usage = z
  .object({ prompt_tokens: z.int().nullish(), total_tokens: z.int().nullish() })
  .transform(({ prompt_tokens: prompt, total_tokens: total }) => ({
    promptTokens: prompt ?? total ?? 0,
  }));

/** `POST /embeddings`, in either encoding. */
export const embeddingsEnvelope = z.object({
  data: z.array(
    z.object({ index: z.int(), embedding: z.union([z.array(z.number()), z.base64()]) }),
  ),
  usage,
});

/** `POST /rerank`. */
export const rerankEnvelope = z.object({
  results: z.array(z.object({ index: z.int(), relevance_score: z.number() })),
  usage,
});

/** `POST /score`. */
export const scoreEnvelope = z.object({
  data: z.array(z.object({ index: z.int(), score: z.number() })),
  usage,
});
