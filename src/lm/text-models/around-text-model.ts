import type {
  Embedder,
  LmRole,
  PairScorer,
  Reranker,
  TextModelOptions,
  TextModelUsage,
} from "../../contract/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { Limiter } from "../wrappers/with-limit.ts";
import type { RetryOptions } from "../wrappers/retry.ts";
import { retry } from "../wrappers/retry.ts";

/**
 * Wraps each call of a text model, whatever the model returns. It makes the call with the original
 * options or with others.
 */
export type AroundCall = <TReply extends { readonly usage: TextModelUsage }>(
  ask: (options?: TextModelOptions) => Promise<TReply>,
  options: TextModelOptions,
) => Promise<TReply>;

/**
 * The same model with each of `arounds` wrapped around its calls, the first one innermost. A call
 * without texts needs no server, so nothing wraps it.
 *
 * @example
 * aroundTextModel(embedder({ baseUrl, model }), limitCalls(limiter(8)), retryCalls());
 */
export function aroundTextModel(model: Embedder, ...arounds: readonly AroundCall[]): Embedder;
export function aroundTextModel(model: Reranker, ...arounds: readonly AroundCall[]): Reranker;
export function aroundTextModel(model: PairScorer, ...arounds: readonly AroundCall[]): PairScorer;
export function aroundTextModel(
  model: Embedder | Reranker | PairScorer,
  ...arounds: readonly AroundCall[]
): Embedder | Reranker | PairScorer {
  const { identity } = model;
  const call = <TReply extends { readonly usage: TextModelUsage }>(
    texts: readonly string[],
    options: TextModelOptions = {},
    ask: (options: TextModelOptions) => Promise<TReply>,
  ): Promise<TReply> => {
    if (texts.length === 0) return ask(options);
    const outermost = arounds.reduce(
      (inner, around) => (given) => around((other = given) => inner(other), given),
      ask,
    );
    return outermost(options);
  };
  if ("doEmbed" in model) {
    return {
      identity,
      doEmbed: (texts, options) => call(texts, options, (given) => model.doEmbed(texts, given)),
    };
  }
  if ("doRerank" in model) {
    return {
      identity,
      doRerank: (request, options) =>
        call(request.documents, options, (given) => model.doRerank(request, given)),
    };
  }
  return {
    identity,
    doScore: (request, options) =>
      call(request.documents, options, (given) => model.doScore(request, given)),
  };
}

/** `withLimit` for text models; models of one server share its limiter. */
export function limitCalls(shared: Limiter): AroundCall {
  return (ask, { signal }) => shared.run(ask, signal);
}

/**
 * `withRetry` for text models. It retries a call as a whole, so batching belongs outside it: see
 * `batchedEmbedder`.
 */
export function retryCalls(options: RetryOptions = {}): AroundCall {
  const again = retry(options);
  return (ask, { signal, onRetry }) => again(ask, { signal, onRetry });
}

/** `withLedger` for text models: counts each call under the given role. */
export function countCalls(
  ledger: Ledger,
  role: Extract<LmRole, "embedding" | "reranking">,
): AroundCall {
  return async (ask, options) => {
    const onRetry: TextModelOptions["onRetry"] = (fault) => {
      ledger.addRetry(role);
      return options.onRetry?.(fault);
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

/** Text models generate nothing, and servers report no prefix cache for them. */
const nothingWritten = { completionTokens: 0, reasoningTokens: 0, cachedPromptTokens: null };
