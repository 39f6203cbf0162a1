import { endianness } from "node:os";
import type { Embedder } from "../../contract/index.ts";
import { batchedEmbedder } from "./batched-embedder.ts";
import { inOrder } from "./in-order.ts";
import { readEnvelope } from "../client/read-envelope.ts";
import type { TextModelOptions } from "./text-model-options.ts";
import { truncation } from "./text-model-options.ts";
import { serverConnection } from "../client/server-connection.ts";
import { embeddingsEnvelope } from "./text-model-envelope.ts";

export interface EmbedderOptions extends TextModelOptions {
  /** Texts per request, at least 1. @default 64 */
  readonly batchSize?: number;
  /** Encoding of vectors on the wire; base64 is about a quarter of the size. @default "base64" */
  readonly encoding?: "base64" | "float";
}

/** Vectors from `POST /embeddings`; batches go out in sequence, one request each. */
export function embedder({
  model,
  batchSize = 64,
  encoding = "base64",
  provider = "vllm",
  truncatePromptTokens,
  ...server
}: EmbedderOptions): Embedder {
  const connection = serverConnection(server);
  const oneRequest: Embedder = {
    identity: { provider, model },
    doEmbed: async (input, { signal } = {}) => {
      const body = {
        model,
        input: [...input],
        encoding_format: encoding,
        ...truncation(truncatePromptTokens),
      };
      const reply = await connection.embeddings(body, { signal });
      const { data, usage } = readEnvelope(embeddingsEnvelope, reply, connection.origin);
      const rows = inOrder(data, input.length, connection.origin.where);
      return { vectors: rows.map(({ embedding }) => vectorOf(embedding)), usage };
    },
  };
  return batchedEmbedder(oneRequest, batchSize);
}

/** Base64 holds little-endian 32-bit floats. */
function vectorOf(embedding: string | readonly number[]): Float32Array {
  if (typeof embedding !== "string") return Float32Array.from(embedding);
  const bytes = Buffer.from(embedding, "base64");
  if (endianness() === "BE") bytes.swap32();
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
