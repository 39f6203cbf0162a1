import { z } from "zod";
import type { TextModelUsage } from "../../contract/index.ts";
import { arrayOf } from "../client/reply-values.ts";

/** `POST /embeddings`, in either encoding. */
export interface EmbeddingsEnvelope {
  readonly data: readonly {
    readonly index: number;
    /** Numbers, or base64 of little-endian 32-bit floats. */
    readonly embedding: readonly number[] | string;
  }[];
  readonly usage: TextModelUsage;
}

/** `POST /rerank`. */
export interface RerankEnvelope {
  readonly results: readonly { readonly index: number; readonly relevance_score: number }[];
  readonly usage: TextModelUsage;
}

/** `POST /score`. */
export interface ScoreEnvelope {
  readonly data: readonly { readonly index: number; readonly score: number }[];
  readonly usage: TextModelUsage;
}

// Rerank routes report only the total, which consists of prompt tokens alone; Cohere's and
// LiteLLM's report none.
const count = z.int().nonnegative().nullish().catch(null);
const usage = z
  .object({ prompt_tokens: count, total_tokens: count })
  .nullish()
  .catch(null)
  .transform((given) => ({ promptTokens: given?.prompt_tokens ?? given?.total_tokens ?? null }));

const numbers = z.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.every(Number.isFinite),
  "a list of numbers",
);

export const embeddingsEnvelope: z.ZodType<EmbeddingsEnvelope> = z.object({
  data: arrayOf(z.object({ index: z.int(), embedding: z.union([numbers, z.base64()]) })),
  usage,
});

export const rerankEnvelope: z.ZodType<RerankEnvelope> = z.object({
  results: arrayOf(z.object({ index: z.int(), relevance_score: z.number() })),
  usage,
});

export const scoreEnvelope: z.ZodType<ScoreEnvelope> = z.object({
  data: arrayOf(z.object({ index: z.int(), score: z.number() })),
  usage,
});
