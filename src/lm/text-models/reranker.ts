import type { Reranker } from "../../contract/index.ts";
import { inOrder } from "./in-order.ts";
import { readEnvelope } from "../client/read-envelope.ts";
import type { TextModelOptions } from "./text-model-options.ts";
import { truncation } from "./text-model-options.ts";
import { serverConnection } from "../client/server-connection.ts";
import { rerankEnvelope } from "./text-model-envelope.ts";

export type RerankerOptions = TextModelOptions;

/**
 * Relevance from `POST /rerank`. Requests scores for all documents and picks the best here, so that
 * ties at the cut do not depend on the server.
 */
export function reranker({
  model,
  provider = "vllm",
  truncatePromptTokens,
  ...server
}: RerankerOptions): Reranker {
  const connection = serverConnection(server);
  return {
    identity: { provider, model },
    doRerank: async ({ query, documents, topN = documents.length }, { signal } = {}) => {
      if (documents.length === 0) return { results: [], usage: { promptTokens: 0 } };
      const body = {
        model,
        query,
        documents,
        top_n: documents.length,
        ...truncation(truncatePromptTokens),
      };
      const reply = await connection.post("/rerank", body, { signal });
      const { results, usage } = readEnvelope(rerankEnvelope, reply, connection.origin);
      const ranked = inOrder(results, documents.length, connection.origin.where)
        .map(({ index, relevance_score: score }) => ({ index, score }))
        .toSorted((left, right) => right.score - left.score);
      return { results: ranked.slice(0, topN), usage };
    },
  };
}
