import type { Embedder, LmRole, PairScorer, Reranker } from "../../contract/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { AroundCall } from "./around-text-model.ts";
import { textModelCalls } from "./around-text-model.ts";

/** `ledgered` for an embedder: a call counts under the role `embedding`. */
export function ledgeredEmbedder(embedder: Embedder, ledger: Ledger): Embedder {
  return textModelCalls.embedder(embedder, counting(ledger, "embedding"));
}

/** `ledgered` for a reranker: a call counts under the role `reranking`. */
export function ledgeredReranker(reranker: Reranker, ledger: Ledger): Reranker {
  return textModelCalls.reranker(reranker, counting(ledger, "reranking"));
}

/** `ledgered` for a pair scorer: a call counts under the role `reranking`. */
export function ledgeredPairScorer(scorer: PairScorer, ledger: Ledger): PairScorer {
  return textModelCalls.pairScorer(scorer, counting(ledger, "reranking"));
}

/** Text models read and write nothing; of their prefix caches servers say nothing. */
const nothingWritten = { completionTokens: 0, reasoningTokens: 0, cachedPromptTokens: null };

function counting(ledger: Ledger, role: LmRole): AroundCall {
  return async (ask, options) => {
    const onRetry = (): void => {
      ledger.addRetry(role);
      options.onRetry?.();
    };
    try {
      const reply = await ask({ ...options, onRetry });
      ledger.add(role, { ...nothingWritten, promptTokens: reply.usage.promptTokens }, "server");
      return reply;
    } catch (error) {
      ledger.addFailure(role);
      throw error;
    }
  };
}
