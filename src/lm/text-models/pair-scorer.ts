import type { PairScorer } from "../../contract/index.ts";
import { inOrder } from "./in-order.ts";
import { readEnvelope } from "../client/read-envelope.ts";
import type { RerankerOptions } from "./reranker.ts";
import { truncation } from "./text-model-options.ts";
import { serverConnection } from "../client/server-connection.ts";
import { scoreEnvelope } from "./text-model-envelope.ts";

/** Scores from vLLM's `POST /score`; unlike `reranker`, it keeps the order and does not rank. */
export function pairScorer({
  model,
  provider = "vllm",
  truncatePromptTokens,
  ...server
}: RerankerOptions): PairScorer {
  const connection = serverConnection(server);
  return {
    identity: { provider, model },
    doScore: async ({ query, documents }, { signal } = {}) => {
      if (documents.length === 0) return { scores: [], usage: { promptTokens: 0 } };
      const body = {
        model,
        text_1: query,
        text_2: documents,
        ...truncation(truncatePromptTokens),
      };
      const reply = await connection.post("/score", body, { signal });
      const { data, usage } = readEnvelope(scoreEnvelope, reply, connection.origin);
      const rows = inOrder(data, documents.length, connection.origin.where);
      return { scores: rows.map(({ score }) => score), usage };
    },
  };
}
