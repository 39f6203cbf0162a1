import type {
  Embedder,
  PairScorer,
  Reranker,
  TextModelOptions,
  TextModelUsage,
} from "../../contract/index.ts";

/**
 * What stands around each call of a text model, whatever the model returns. The call is made with the
 * options that it came with, or with others.
 */
export type AroundCall = <TReply extends { readonly usage: TextModelUsage }>(
  ask: (options?: TextModelOptions) => Promise<TReply>,
  options: TextModelOptions,
) => Promise<TReply>;

/**
 * The same model with `around` about each call. Calls without any text need no server, so nothing
 * stands around them.
 */
export const textModelCalls: {
  embedder(model: Embedder, around: AroundCall): Embedder;
  reranker(model: Reranker, around: AroundCall): Reranker;
  pairScorer(model: PairScorer, around: AroundCall): PairScorer;
} = Object.freeze({
  embedder: (model: Embedder, around: AroundCall): Embedder => ({
    identity: model.identity,
    doEmbed: (texts, options = {}) => {
      const ask = (given = options): ReturnType<Embedder["doEmbed"]> => model.doEmbed(texts, given);
      return texts.length === 0 ? ask() : around(ask, options);
    },
  }),
  reranker: (model: Reranker, around: AroundCall): Reranker => ({
    identity: model.identity,
    doRerank: (request, options = {}) => {
      const ask = (given = options): ReturnType<Reranker["doRerank"]> =>
        model.doRerank(request, given);
      return request.documents.length === 0 ? ask() : around(ask, options);
    },
  }),
  pairScorer: (model: PairScorer, around: AroundCall): PairScorer => ({
    identity: model.identity,
    doScore: (request, options = {}) => {
      const ask = (given = options): ReturnType<PairScorer["doScore"]> =>
        model.doScore(request, given);
      return request.documents.length === 0 ? ask() : around(ask, options);
    },
  }),
});
